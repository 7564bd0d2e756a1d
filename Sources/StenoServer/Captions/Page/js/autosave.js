// Keeps the text of this tab through a reload; it goes with the tab.

const KEPT = "steno.text.";
/** Segments of a piece: only the last piece is written again. */
const PIECE = 40;

/** Saves what is new. */
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
        for (const [start, end, words, isBreak] of JSON.parse(text)) {
          if (isBreak) this.transcript.breakHere();
          this.transcript.add({ start, end, text: words });
        }
      }
    } catch {
      this.clear();
    }
    this.transcript.breakHere();
    this.saved = this.transcript.segments.length;
  }

  save() {
    const { segments, paragraphs } = this.transcript;
    const starts = new Set(paragraphs.slice(-PIECE * 2).map((paragraph) => paragraph.start));
    for (let piece = Math.floor(Math.max(0, this.saved - 1) / PIECE); piece * PIECE < segments.length; piece++) {
      const part = segments.slice(piece * PIECE, (piece + 1) * PIECE);
      const rows = part.map(({ start, end, text }) => [start, end, text, starts.has(start) ? 1 : 0]);
      try {
        sessionStorage.setItem(KEPT + piece, JSON.stringify(rows));
      } catch {
        return;
      }
    }
    this.saved = segments.length;
  }

  clear() {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(KEPT)) sessionStorage.removeItem(name);
    }
    this.saved = 0;
  }
}
