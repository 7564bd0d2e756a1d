import { request } from "./access.js";
import { keepAwake } from "./awake.js";
import { confirm } from "./dialogs.js";
import { byId, download, toast } from "./dom.js";
import { fileName } from "./export.js";
import { clock, t } from "./i18n.js";
import { chosenLanguage } from "./languages.js";
import { Level } from "./level.js";
import { Microphone } from "./microphone.js";
import { Player } from "./player.js";
import { RATE, wav } from "./ring.js";
import { settings } from "./settings.js";
import { problemText } from "./status.js";

/** The longest recording, in seconds; recordings are kept in memory. */
const LONGEST = 3600;

/** Records first and transcribes afterwards, or transcribes a file. */
export class RecordView {
  constructor() {
    this.blocks = [];
    this.phase = "idle";
    this.level = new Level();
    /** A recording that has no text yet. */
    this.unread = null;
    this.microphone = new Microphone({ block: (block) => this.hear(block), ended: () => this.stop() });
    byId("record-start").addEventListener("click", () => (this.phase === "recording" ? this.stop() : this.start()));
    byId("record-again").addEventListener("click", () => this.transcribe(this.unread));
    byId("record-keep").addEventListener("click", () => download(fileName("wav"), "audio/wav", this.unread));
    addEventListener("beforeunload", (event) => {
      if (this.phase === "recording" || this.unread) event.preventDefault();
    });
    byId("record-file").addEventListener("change", ({ target }) => {
      const file = target.files[0];
      target.value = "";
      if (file) this.open(file);
    });
    addEventListener("localechange", () => this.show());
    // A microphone without any signal may send no blocks, so nothing else would update the state.
    setInterval(() => this.showState(), 500);
    this.show();
  }

  /** Asks before a recording without text is replaced; a file still exists elsewhere. */
  async mayReplace() {
    if (!this.unread || this.unread instanceof File) return true;
    return confirm(t("record.question"), t("history.delete"));
  }

  async open(file) { if (await this.mayReplace()) this.transcribe(file); }

  async start() {
    if (this.phase !== "idle" || !(await this.mayReplace())) return;
    this.blocks = [];
    this.phase = "starting";
    this.said = "";
    this.show();
    try {
      await this.microphone.open(settings.device);
      this.phase = "recording";
      this.level.begin();
      // Not earlier: without a microphone, there is no new recording to replace it.
      this.unread = null;
    } catch (error) {
      this.microphone.close();
      this.phase = "idle";
      toast(problemText({ code: error.name }));
    }
    this.show();
  }

  hear(block) {
    if (this.phase !== "recording") return;
    this.blocks.push(block.samples);
    this.level.take(block);
    this.level.show(byId("record-meter-fill"));
    const samples = this.blocks.length * block.samples.length;
    this.showTime(samples / RATE);
    if (samples > LONGEST * RATE) this.stop();
  }

  stop() {
    if (this.phase !== "recording") return;
    this.microphone.close();
    const recording = wav(this.blocks);
    this.blocks = [];
    this.transcribe(recording);
  }

  async transcribe(audio) {
    if (this.phase === "busy" || !audio) return;
    this.phase = "busy";
    this.unread = audio;
    this.show();
    this.player?.close();
    byId("record-player").replaceChildren();
    try {
      const result = await this.send(audio);
      this.player = new Player(segmentsOf(result));
      this.player.load(audio);
      byId("record-player").replaceChildren(this.player.element);
      this.said = result.text.trim() ? "" : t("record.empty");
      this.unread = null;
    } catch (error) {
      this.said = problemText(error);
    }
    this.phase = "idle";
    this.show();
  }

  async send(audio) {
    const form = new FormData();
    form.append("file", audio, audio.name ?? "recording.wav");
    form.append("response_format", "verbose_json");
    form.append("timestamp_granularities[]", "word");
    form.append("timestamp_granularities[]", "segment");
    if (chosenLanguage()) form.append("language", chosenLanguage());
    return (await request("v1/audio/transcriptions", { method: "POST", body: form })).json();
  }

  show() {
    const isRecording = this.phase === "recording";
    byId("record-text").textContent = isRecording ? t("record.stop") : t("tab.record");
    byId("record-icon").setAttribute("href", `captions/icons.svg#${isRecording ? "stop" : "record"}`);
    byId("record-start").disabled = byId("record-file").disabled = this.phase === "busy" || this.phase === "starting";
    byId("record-file").disabled ||= isRecording;
    byId("record-again").hidden = this.phase !== "idle" || !this.unread;
    // A file still exists elsewhere.
    byId("record-keep").hidden = byId("record-again").hidden || this.unread instanceof File;
    byId("record-time").hidden = byId("record-meter").hidden = !isRecording;
    if (isRecording) this.showTime(0);
    keepAwake(this, isRecording);
    this.showState();
  }

  /** Screen readers announce every change, so the text is set only if it differs. */
  showState() {
    const text = this.state();
    if (byId("record-state").textContent !== text) byId("record-state").textContent = text;
  }

  state() {
    if (this.phase === "busy") return t("record.busy");
    if (this.phase === "recording") return this.level.hasSignal ? "" : t("state.silent");
    return this.said ?? "";
  }

  /** Not announced, because it changes constantly. */
  showTime(seconds) {
    const text = t("record.running", { time: clock(seconds) });
    if (byId("record-time").textContent !== text) byId("record-time").textContent = text;
  }
}

/**
 * Assigns the words, which come as one list in text order, to the segments: each word once, with the spaces before it.
 * A segment that does not match the next words gets none.
 */
export function segmentsOf({ segments = [], words = [] }) {
  let next = 0;
  return segments.map((segment) => {
    const wanted = withoutSpaces(segment.text);
    let [said, end] = ["", next];
    while (end < words.length && said.length < wanted.length) said += withoutSpaces(words[end++].word);
    if (said !== wanted) return { ...segment, words: [] };
    const own = words.slice(next, end);
    next = end;
    let rest = segment.text;
    return { ...segment, words: own.map((word) => {
      let length = rest.search(/\S/);
      for (let letters = withoutSpaces(word.word).length; letters > 0; length++) {
        if (/\S/.test(rest[length])) letters -= 1;
      }
      const text = rest.slice(0, length);
      rest = rest.slice(length);
      return { ...word, word: text };
    }) };
  });
}

function withoutSpaces(text) { return text.replace(/\s/g, ""); }
