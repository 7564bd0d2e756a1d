import { byId, make } from "./dom.js";
import { speakerName } from "./i18n.js";
import { settings } from "./settings.js";
import { endsSentence } from "./transcript.js";

/** So many sentences stay in a live region. */
const KEPT = 12;

/** Gives a screen reader the final text, a sentence at a time; volatile text never gets here. */
export class Announcer {
  constructor() {
    this.clear();
  }

  clear() {
    this.pending = "";
    this.speaker = null;
  }

  /** @param mark Punctuation after the last word; what was said already needs none. */
  take(segments, hasEnded, mark) {
    for (const segment of segments) {
      if (segment.speaker && segment.speaker !== this.speaker) {
        this.say();
        this.speaker = segment.speaker;
        this.pending = `${speakerName(segment.speaker)}: `;
      }
      this.pending += segment.text;
      if (endsSentence(this.pending)) this.say();
    }
    if (this.pending) this.pending += mark;
    if (hasEnded) this.say();
  }

  say() {
    const text = this.pending.trim();
    this.pending = "";
    if (!text || !settings.announce) return;
    add("log", text);
  }
}

let state = "";

/** Announces the state where it has changed, so that it does not take the place of something that has happened. */
export function announceState(text) {
  if (text === state) return;
  state = text;
  announce(text);
}

/** Announces something that has happened: the same again is announced again, and what comes at once takes no place. */
export function announce(text) {
  add("announce", text);
}

function add(id, text) {
  const region = byId(id);
  region.append(make("p", { text }));
  while (region.children.length > KEPT) region.firstElementChild.remove();
}
