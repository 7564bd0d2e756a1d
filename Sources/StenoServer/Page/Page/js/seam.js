/** How long a word may be audible after its reported end, in seconds. */
export const REST = 0.25;

/** The letters of a word, for comparison; null if it has none. */
function letters(word) { return word?.word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") || null; }

/**
 * The seam between a session and its replacement, for example after a server was killed in the middle of a word.
 *
 * The replacement's audio begins where the last final word ends, as far as that is known. The rest of that word may be
 * recognised as the same word again or as another one, which is removed here.
 */
export class Seam {
  constructor() {
    this.forget();
    /** The words on both sides of the seam, until the new session has final text. */
    this.before = null;
  }

  /** The audio of the next session does not begin after the last word. */
  forget() { this.last = this.next = null; }

  /** Notes the last final word, and the volatile word after it. */
  hear({ type, segments, words, finals, partials }) {
    if (type === "partial") this.next = letters((segments?.[0]?.words ?? words)?.[0]);
    const said = type === "final" ? (segments?.at(-1)?.words ?? words) : finals?.at(-1)?.words;
    if (!said?.length) return;
    this.last = letters(said.at(-1));
    this.next = letters(partials?.[0]?.words?.[0]);
  }

  /** Begins a replacement session, whose audio comes after some seconds of silence. */
  begin(silence) {
    this.before = this.last && { last: this.last, next: this.next, limit: silence + REST };
  }

  /** Removes the rest of the word before the seam from an event. */
  mend(event) {
    const { before } = this;
    if (!before) return event;
    const key = event.type === "snapshot" ? "finals" : "segments";
    const parts = event[key]?.length > 0 ? event[key] : [event];
    // Everything after the first final text is new.
    if (event.type === "final" || (key === "finals" && parts[0] !== event)) this.before = null;
    const [, ...words] = parts[0].words ?? [];
    const [first, second] = [...parts, ...(event.partials ?? [])].flatMap((part) => part.words ?? []);
    if (first !== parts[0].words?.[0] || !this.isRest(first, second, before)) return event;
    const text = words.map(({ word }) => word).join("");
    const mended = { ...parts[0], start: words[0]?.start ?? parts[0].end, words, text };
    if (parts[0] === event) return mended;
    const all = [mended, ...parts.slice(1)];
    return { ...event, [key]: all, text: all.map((part) => part.text).join("") };
  }

  /** Whether the first word is the rest of the last one: a repetition, or an extra word before the expected one. */
  isRest(first, second, { last, next, limit }) {
    if (!first || first.start > limit || letters(first) === next) return false;
    return letters(first) === last || (next !== null && letters(second) === next);
  }
}
