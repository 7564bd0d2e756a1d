import { byId, make } from "./dom.js";
import { speakerName } from "./i18n.js";
import { settings } from "./settings.js";
import { endsSentence } from "./transcript.js";

/** So many sentences stay in the live region. */
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

  take(segments, hasEnded) {
    for (const segment of segments) {
      if (segment.speaker && segment.speaker !== this.speaker) {
        this.say();
        this.speaker = segment.speaker;
        this.pending = `${speakerName(segment.speaker)}: `;
      }
      this.pending += segment.text;
      if (endsSentence(this.pending)) this.say();
    }
    if (hasEnded) this.say();
  }

  say() {
    const text = this.pending.trim();
    this.pending = "";
    if (!text || !settings.announce) return;
    const log = byId("log");
    log.append(make("p", { text }));
    while (log.children.length > KEPT) log.firstElementChild.remove();
  }
}

/** Announces a change of state, once. */
export function announce(text) {
  const place = byId("announce");
  if (place.textContent !== text) place.textContent = text;
}
