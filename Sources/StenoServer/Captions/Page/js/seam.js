/** A word may be heard for so long after its reported end, in seconds. */
export const REST = 0.25;

/** The letters of a word, by which it is known again; null where there are none. */
function letters(word) {
  return word?.word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") || null;
}

/**
 * The seam between a session and the one that takes over, as where a server was killed in the middle of a word.
 *
 * The audio of the new one begins where the last final word ends, as far as that is known. What is left of that word may be
 * heard as a word, the same once more or another one, which is left out here.
 */
export class Seam {
  constructor() {
    this.forget();
    /** What stood on both sides of the seam, until the session has final text. */
    this.before = null;
  }

  /** The next session begins with other audio than that after the last word. */
  forget() {
    this.last = this.next = null;
  }

  /** Notes the last word that is final, and the next one in sight. */
  hear({ type, segments, words, finals, partials }) {
    if (type === "partial") this.next = letters((segments?.[0]?.words ?? words)?.[0]);
    const said = type === "final" ? (segments?.at(-1)?.words ?? words) : finals?.at(-1)?.words;
    if (!said?.length) return;
    this.last = letters(said.at(-1));
    this.next = letters(partials?.[0]?.words?.[0]);
  }

  /** A session takes over, whose audio begins after so many seconds of silence. */
  begin(silence) {
    this.before = this.last && { last: this.last, next: this.next, limit: silence + REST };
  }

  /** What a session says, without the rest of the word before it. */
  mend(event) {
    const { before } = this;
    if (!before) return event;
    const key = event.type === "snapshot" ? "finals" : "segments";
    const parts = event[key]?.length > 0 ? event[key] : [event];
    // All that follows the first final text is new.
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

  /** Whether a word is what is left of the one before: not the next one in sight, but said again or before that one. */
  isRest(first, second, { last, next, limit }) {
    if (!first || first.start > limit || letters(first) === next) return false;
    return letters(first) === last || (next !== null && letters(second) === next);
  }
}
