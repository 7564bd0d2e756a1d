/** A pause of so many seconds begins a paragraph. */
const PAUSE = 2;
/** A paragraph of so many characters ends with its sentence. */
const LONG = 360;

/** Whether a text ends with a sentence. */
export function endsSentence(text) {
  return /[.!?…。!?।؟]["”’»)\]]*\s*$/u.test(text);
}

/**
 * The text so far: final segments, which never change, in paragraphs; and the volatile text after them.
 *
 * Times are seconds since the page began to listen.
 */
export class Transcript {
  constructor() {
    this.clear();
  }

  clear() {
    this.segments = [];
    this.paragraphs = [];
    this.partial = "";
    this.partialStart = null;
    this.sessionStart = 0;
    this.isBroken = true;
  }

  get isEmpty() {
    return this.segments.length === 0 && this.partial === "";
  }

  /** Takes an event of the server; returns the final segments that are new. */
  apply(event, base) {
    switch (event.type) {
      case "begin":
        this.sessionStart = this.segments.length;
        this.setPartial([], base);
        this.isBroken = true;
        return [];
      case "final": {
        const added = (event.segments ?? [event]).filter((part) => part.text).map((part) => this.add(part, base));
        this.setPartial(event.partials ?? [], base);
        return added;
      }
      case "partial":
        this.setPartial(event.text ? (event.segments ?? [event]) : [], base);
        return [];
      case "snapshot": {
        const known = this.segments.length - this.sessionStart;
        const added = (event.finals ?? []).slice(known).map((part) => this.add(part, base));
        this.setPartial(event.partials ?? [], base);
        return added;
      }
      case "utterance_end":
        this.hasUtteranceEnd = true;
        return [];
      default:
        return [];
    }
  }

  /** Adds a final segment, as one that was kept. */
  add(part, base = 0) {
    const segment = { start: base + part.start, end: base + part.end, text: part.text };
    const last = this.paragraphs.at(-1);
    const pause = segment.start - (this.segments.at(-1)?.end ?? segment.start);
    const isNew = !last || this.isBroken || (this.hasUtteranceEnd && pause >= PAUSE)
      || (last.text.length > LONG && endsSentence(last.text));
    this.isBroken = this.hasUtteranceEnd = false;
    this.segments.push(segment);
    if (isNew) this.paragraphs.push({ start: segment.start, text: segment.text.trimStart() });
    else last.text += segment.text;
    return segment;
  }

  /** Begins a new paragraph with the next text. */
  breakHere() {
    this.isBroken = true;
  }

  setPartial(parts, base) {
    this.partial = parts.map((part) => part.text).join("");
    this.partialStart = parts.length > 0 ? base + parts[0].start : null;
  }

  /** Whether the volatile text begins a paragraph. */
  get partialIsNewParagraph() {
    if (this.paragraphs.length === 0 || this.isBroken) return true;
    const pause = (this.partialStart ?? 0) - (this.segments.at(-1)?.end ?? 0);
    const last = this.paragraphs.at(-1);
    return (this.hasUtteranceEnd && pause >= PAUSE) || (last.text.length > LONG && endsSentence(last.text));
  }

  /** All of the text, a paragraph a line. */
  get text() {
    const lines = this.paragraphs.map((paragraph) => paragraph.text.trim());
    if (this.partial) {
      if (this.partialIsNewParagraph) lines.push(this.partial.trim());
      else lines[lines.length - 1] += this.partial;
    }
    return lines.join("\n");
  }
}
