// Keeps this tab's text across reloads; closing the tab deletes it.

const KEPT = "steno.text.";
/** Segments per stored piece; saving rewrites only the last piece. */
const PIECE = 40;

export class Autosave {
  constructor(transcript) {
    this.transcript = transcript;
    this.saved = 0;
  }

  restore() {
    try {
      for (let piece = 0; ; piece++) {
        const text = sessionStorage.getItem(KEPT + piece);
        if (!text) break;
        for (const [start, end, words, isBreak, speaker, missing] of JSON.parse(text)) {
          if (isBreak) this.transcript.breakHere();
          if (missing) this.transcript.loseHere(missing);
          this.transcript.add({ start, end, text: words, speaker });
        }
      }
    } catch {
      this.clear();
    }
    this.transcript.breakHere();
    this.saved = this.transcript.segments.length;
  }

  /** @param last Segments to append to the final text: volatile text that will not become final. */
  save(last = []) {
    const segments = [...this.transcript.segments, ...last];
    for (let piece = Math.floor(Math.max(0, this.saved - 1) / PIECE); piece * PIECE < segments.length; piece++) {
      const part = segments.slice(piece * PIECE, (piece + 1) * PIECE);
      const rows = part.map(({ start, end, text, isBreak, speaker, missing }) => {
        return [start, end, text, isBreak ? 1 : 0, speaker, missing];
      });
      try {
        sessionStorage.setItem(KEPT + piece, JSON.stringify(rows));
      } catch {
        return;
      }
    }
    this.saved = this.transcript.segments.length;
  }

  /** Saves the volatile text too, before the page unloads. */
  saveAll() {
    const { partial, partialStart, partialIsNewParagraph: isBreak, missing, end } = this.transcript;
    const start = partialStart ?? end;
    this.save(partial ? [{ start, end: Math.max(start, end) + 1, text: partial, isBreak, missing }] : []);
  }

  /** Makes the next save write all text, because earlier text has changed. */
  forget() { this.saved = 0; }

  clear() {
    this.saved = 0;
    try {
      for (const name of Object.keys(sessionStorage)) {
        if (name.startsWith(KEPT)) sessionStorage.removeItem(name);
      }
    } catch {
      // Storage is blocked, so nothing was saved.
    }
  }
}
