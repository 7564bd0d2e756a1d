/** A pause this long begins a paragraph, in seconds. */
const PAUSE = 2;
/** A paragraph longer than this ends with its sentence, in characters. */
const LONG = 360;

export function endsSentence(text) { return /[.!?…。！？।؟]["”’»)\]]*\s*$/u.test(text); }

/** Splits a final segment by speaker; a single part if no speakers are named. */
function bySpeaker(segment) {
  const words = segment.words ?? [];
  const whole = { ...segment, speaker: words.find((word) => word.speaker)?.speaker ?? segment.speaker ?? null };
  if (words.map((word) => word.word).join("") !== segment.text) return [whole];
  const parts = [];
  for (const { word, start, end, speaker = null } of words) {
    const last = parts.at(-1);
    // A word without a speaker belongs with its neighbours.
    if (last && (last.speaker === speaker || speaker === null || last.speaker === null)) {
      last.text += word;
      last.end = end;
      last.speaker ??= speaker;
    } else parts.push({ start, end, text: word, speaker });
  }
  if (parts.length < 2) return [whole];
  parts[0].start = segment.start;
  parts.at(-1).end = segment.end;
  return parts;
}

/**
 * The text so far: final segments in paragraphs, which are only ever appended to, then the volatile text.
 *
 * Times are seconds since the page began to listen. A server that labels speakers may correct the labels.
 */
export class Transcript {
  constructor() { this.clear(); }

  clear() {
    this.segments = [];
    this.paragraphs = [];
    this.partial = "";
    this.partialStart = null;
    this.sessionStart = 0;
    /** The number of the session's last final segment. */
    this.lastId = -1;
    /** Its text, to which punctuation may be added. */
    this.lastText = "";
    this.isBroken = true;
    this.hasUtteranceEnd = false;
    /** Seconds of audio missing since the last final text. */
    this.missing = 0;
  }

  get isEmpty() { return this.segments.length === 0 && this.partial === ""; }

  /** Where the final text ends, in seconds. */
  get end() { return this.segments.reduce((end, segment) => Math.max(end, segment.end), 0); }

  /** Applies an event from the server; returns new final segments. */
  apply(event, base) {
    switch (event.type) {
      case "begin":
        this.sessionStart = this.segments.length;
        this.lastId = -1;
        this.lastText = "";
        this.setPartial([], base);
        this.isBroken = true;
        return [];
      case "final":
      case "snapshot": {
        const finals = event.type === "final" ? (event.segments ?? [event]) : (event.finals ?? []);
        const added = finals.flatMap((segment) => this.take(segment, base));
        this.setPartial(event.partials ?? [], base);
        return added;
      }
      case "partial":
        this.setPartial(event.text ? (event.segments ?? [event]) : [], base);
        return [];
      case "utterance_end":
        this.join(event.text ?? "");
        this.hasUtteranceEnd = true;
        return [];
      case "speakers":
        this.correct(event.changes ?? [], base);
        return [];
      default:
        return [];
    }
  }

  /** Adds a segment only once, although a snapshot may repeat it. */
  take(segment, base) {
    if (segment.id !== undefined && segment.id <= this.lastId) {
      // A snapshot may add the punctuation after it.
      const isSame = segment.id === this.lastId && this.lastText !== "" && segment.text.startsWith(this.lastText);
      if (isSame) this.join(segment.text.slice(this.lastText.length));
      return [];
    }
    this.lastId = segment.id ?? this.lastId;
    this.lastText = segment.text;
    return segment.text ? bySpeaker(segment).map((part) => this.add(part, base)) : [];
  }

  /** Adds a final segment, new or restored. */
  add(part, base = 0) {
    const { text, speaker = null } = part;
    const { missing } = this;
    const isBreak = this.beginsParagraph(base + part.start);
    const segment = { start: base + part.start, end: base + part.end, text, speaker, isBreak, missing };
    this.isBroken = this.hasUtteranceEnd = false;
    this.missing = 0;
    this.segments.push(segment);
    this.addToParagraphs(segment);
    return segment;
  }

  /** Adds punctuation to the last word, unless the text was cleared after it. */
  join(mark) {
    const last = this.segments.at(-1);
    if (!mark || !last) return;
    this.lastText += mark;
    last.text += mark;
    this.paragraphs.at(-1).text += mark;
  }

  addToParagraphs(segment) {
    const last = this.paragraphs.at(-1);
    const { start, text, speaker, isBreak, missing } = segment;
    const isOther = speaker !== null && last?.speaker !== speaker;
    if (isBreak || isOther) this.paragraphs.push({ start, text: text.trimStart(), speaker, missing });
    else last.text += text;
  }

  /** Corrects the speaker labels of this session. */
  correct(changes, base) {
    for (const { start, end, was, now } of changes) {
      for (const segment of this.segments.slice(this.sessionStart)) {
        const middle = (segment.start + segment.end) / 2 - base;
        if (segment.speaker === was && start <= middle && middle < (end ?? Infinity)) segment.speaker = now;
      }
    }
    this.paragraphs = [];
    for (const segment of this.segments) this.addToParagraphs(segment);
  }

  /** Begins a new paragraph with the next text. */
  breakHere() { this.isBroken = true; }

  /** Notes that audio is missing before the next text. */
  loseHere(seconds) {
    this.missing += seconds;
    this.breakHere();
  }

  /** Makes the volatile text final, because nothing will replace it; returns the new segments. */
  settle() {
    const text = this.partial;
    if (!text) return [];
    const start = this.partialStart ?? this.end;
    this.setPartial([], 0);
    return [this.add({ start, end: Math.max(start, this.end) + 1, text })];
  }

  setPartial(parts, base) {
    this.partial = parts.map((part) => part.text).join("");
    this.partialStart = parts.length > 0 ? base + parts[0].start : null;
  }

  /** Whether the volatile text begins a paragraph. */
  get partialIsNewParagraph() { return this.beginsParagraph(this.partialStart ?? 0); }

  /** Whether text that starts at a time begins a paragraph. */
  beginsParagraph(start) {
    const last = this.paragraphs.at(-1);
    if (!last || this.isBroken) return true;
    const pause = start - this.segments.at(-1).end;
    return (this.hasUtteranceEnd && pause >= PAUSE) || (last.text.length > LONG && endsSentence(last.text));
  }

  /** The speaker of a paragraph, or null if it is the same as in the one before. */
  newSpeaker(index) {
    const { speaker } = this.paragraphs[index];
    return speaker !== (this.paragraphs[index - 1]?.speaker ?? null) ? speaker : null;
  }

  /** The whole text, one paragraph per line. @param name Returns the display name of a speaker. */
  text(name) {
    const lines = this.paragraphs.map((paragraph, index) => {
      const speaker = this.newSpeaker(index);
      return (speaker ? `${name(speaker)}: ` : "") + paragraph.text.trim();
    });
    if (this.partial) {
      if (this.partialIsNewParagraph) lines.push(this.partial.trim());
      else lines[lines.length - 1] += this.partial;
    }
    return lines.join("\n");
  }
}
