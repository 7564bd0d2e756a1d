import { Feed } from "./feed.js";
import { Level } from "./level.js";
import { Microphone } from "./microphone.js";
import { AudioRing } from "./ring.js";
import { Transcript } from "./transcript.js";

/** A pause longer than this ends the session, to free its place on the server, in milliseconds. */
const LONGEST_PAUSE = 600000;

/**
 * The microphone, connection and transcript of a page.
 *
 * Events: `text` (detail: new final segments, and punctuation for the last one), `change` (of the state), `level`,
 * `event` (from the server), `gap`, `relabelled` (speakers were corrected), `cleared`, `problem`.
 */
export class Captioner extends EventTarget {
  /** @param settings Has the current `language`, `device`, `names`, `save`, `speakers` and `screen`. */
  constructor(settings) {
    super();
    this.settings = settings;
    this.transcript = new Transcript();
    this.ring = new AudioRing();
    this.phase = "idle";
    this.lag = 0;
    this.level = new Level();
    this.isSpeech = false;
    this.isHeld = false;
    /** Whether the server saves this session, or would save the next one, provided that it has a history. */
    this.isKept = Boolean(settings.save);
    this.microphone = new Microphone({ block: (block) => this.hear(block), ended: () => this.loseDevice() });
    this.feed = new Feed(this.ring, () => this.options(), {
      event: (event, base) => this.take(event, base),
      change: () => this.changed(),
      gap: (seconds, isAll) => this.lose(seconds, isAll),
      problem: (code, message) => this.fail(code, message),
      done: () => this.end(),
    });
    addEventListener("online", () => this.feed.hurry());
    addEventListener("pagehide", () => this.feed.say({ type: "finish" }));
  }

  options() {
    const { language, names, save, screen, speakers } = this.settings;
    const options = {};
    this.isKept = Boolean(save);
    if (language) options.language = language;
    if (names.length > 0) options.hotwords = names.join(", ");
    if (save) options.save = true;
    if (speakers) options.speakers = true;
    if (screen) options.screen = screen;
    return options;
  }

  // User actions

  async start() {
    if (this.phase === "paused") return this.resume();
    if (this.phase !== "idle") return;
    this.set("starting");
    try {
      await this.microphone.open(this.settings.device);
    } catch (error) {
      // The user has pressed Stop meanwhile.
      if (error.name === "Closed") return;
      this.microphone.close();
      this.set("idle");
      return this.fail(error.name);
    }
    this.level.begin();
    this.lag = 0;
    this.feed.start();
    this.set("listening");
  }

  stop() {
    if (this.phase === "idle" || this.phase === "finishing") return;
    this.microphone.close();
    this.set("finishing");
    if (this.feed.state === "closed") this.end();
    else this.feed.finish();
  }

  pause() {
    if (this.phase !== "listening") return;
    this.set("paused");
    this.feed.finalize();
    this.pauseTimer = setTimeout(() => this.stop(), LONGEST_PAUSE);
  }

  resume() {
    if (this.phase !== "paused") return;
    this.level.begin();
    this.set("listening");
  }

  clear() {
    this.forget();
    this.feed.clear();
  }

  forget() {
    this.transcript.clear();
    this.dispatchEvent(new CustomEvent("cleared"));
    this.changed();
  }

  /** Applies changed settings, such as the language, to the running session. */
  update() {
    const { language, names, save } = this.settings;
    const hotwords = names.length > 0 ? names.join(", ") : null;
    // Once saving is off, it stays off until the next session, so that unsaved speech never gets into the history.
    this.isKept = Boolean(save) && (this.isKept || this.phase === "idle");
    this.feed.owe({ type: "update", language: language || null, hotwords, save: this.isKept });
    this.changed();
  }

  /** Switches the microphone without a break in the text. */
  async change() {
    if (this.phase !== "listening" && this.phase !== "paused") return;
    try {
      await this.microphone.open(this.settings.device);
    } catch (error) {
      if (error.name === "Closed") return;
      this.fail(error.name);
      this.stop();
    }
  }

  // Audio and server events

  hear(block) {
    const hadSignal = this.hasSignal;
    this.level.take(block);
    if (this.phase === "listening" && !this.isHeld) {
      this.ring.append(block.samples);
      this.feed.push();
    }
    if (hadSignal !== this.hasSignal) this.changed();
    this.dispatchEvent(new CustomEvent("level"));
  }

  get hasSignal() { return this.level.hasSignal; }

  /** How far the text is behind the audio, in seconds. */
  get behind() { return Math.max(this.lag, this.feed.waiting); }

  take(event, base) {
    // Earlier text may have arrived after the request.
    if (event.type === "cleared") return this.forget();
    if (event.type === "lag") this.lag = event.lag;
    if (event.type === "begin") {
      this.lag = 0;
      this.isSpeech = false;
    }
    if (event.type === "error") this.fail(event.code ?? "", event.message);
    if (event.type === "speech") this.isSpeech = event.speaking;
    const added = this.transcript.apply(event, base);
    this.dispatchEvent(new CustomEvent("event", { detail: event }));
    if (["final", "partial", "snapshot", "begin", "utterance_end"].includes(event.type)) {
      const ended = event.type === "utterance_end";
      this.dispatchEvent(new CustomEvent("text", { detail: { added, ended, mark: ended ? event.text ?? "" : "" } }));
    }
    if (event.type === "speakers") this.dispatchEvent(new CustomEvent("relabelled"));
    if (event.type === "lag") this.changed();
  }

  /** @param isAll Whether the audio of the volatile text was lost too, so that it will never become final. */
  lose(seconds, isAll) {
    if (isAll) this.settle();
    this.transcript.loseHere(seconds);
    this.dispatchEvent(new CustomEvent("gap", { detail: seconds }));
  }

  loseDevice() {
    this.fail("ended");
    this.stop();
  }

  fail(code, message = "") {
    if (code === "history_failed") this.isKept = false;
    this.dispatchEvent(new CustomEvent("problem", { detail: { code, message } }));
    if (this.feed.state === "closed" && this.phase !== "starting" && this.phase !== "idle") {
      this.microphone.close();
      this.end();
    }
  }

  end() {
    this.isSpeech = false;
    this.settle();
    this.transcript.breakHere();
    this.set("idle");
  }

  /** Keeps the volatile text, because no final text will follow, for example when the server could not be reached. */
  settle() {
    const added = this.transcript.settle();
    this.dispatchEvent(new CustomEvent("text", { detail: { added, ended: true, mark: "" } }));
  }

  set(phase) {
    if (phase !== "paused") clearTimeout(this.pauseTimer);
    this.phase = phase;
    this.changed();
  }

  changed() { this.dispatchEvent(new CustomEvent("change")); }
}
