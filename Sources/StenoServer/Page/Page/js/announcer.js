import { byId, make } from "./dom.js";
import { speakerName } from "./i18n.js";
import { settings } from "./settings.js";
import { endsSentence } from "./transcript.js";

/** The number of sentences kept in a live region. */
const KEPT = 12;

/** Passes final text to screen readers, one sentence at a time. Volatile text is never announced. */
export class Announcer {
  constructor() { this.clear(); }

  clear() {
    this.pending = "";
    this.speaker = null;
  }

  /** @param mark Punctuation after the last word; ignored if that word has already been announced. */
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

/** Announces the state only when it changes, so that it does not crowd out events. */
export function announceState(text) {
  if (text === state) return;
  state = text;
  announce(text);
}

/** Announces an event, even a repeated one. Events at the same time do not replace each other. */
export function announce(text) { add("announce", text); }

function add(id, text) {
  const region = byId(id);
  region.append(make("p", { text }));
  while (region.children.length > KEPT) region.firstElementChild.remove();
}
