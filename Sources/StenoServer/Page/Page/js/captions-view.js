import { announce, announceState, Announcer } from "./announcer.js";
import { Autosave } from "./autosave.js";
import { keepAwake } from "./awake.js";
import { confirm, open, toggleFullScreen } from "./dialogs.js";
import { byId, copy, download, toast } from "./dom.js";
import { exportText, fileName, TYPES } from "./export.js";
import { Follow } from "./follow.js";
import { speakerName, t } from "./i18n.js";
import { gapText, Lines } from "./lines.js";
import { RATE } from "./ring.js";
import { resize } from "./settings.js";
import { describe, problemText } from "./status.js";

/** The main view: captions, state and controls. */
export class CaptionsView {
  constructor(captioner) {
    this.captioner = captioner;
    this.transcript = captioner.transcript;
    this.lines = new Lines(byId("lines"), this.transcript);
    this.follow = new Follow(byId("transcript"), (isOn) => (byId("to-live").hidden = isOn));
    this.announcer = new Announcer();
    this.autosave = new Autosave(this.transcript);
    this.autosave.restore();
    // Times continue after the restored text.
    if (!this.transcript.isEmpty) captioner.ring.end = Math.ceil(this.transcript.end + 1) * RATE;
    this.listen();
    this.connectButtons();
    setInterval(() => captioner.phase !== "idle" && this.showState(), 500);
    addEventListener("localechange", () => {
      this.lines.again();
      this.showState();
    });
    this.render();
    this.showState();
  }

  listen() {
    const { captioner } = this;
    captioner.addEventListener("change", () => this.showState());
    captioner.addEventListener("text", ({ detail }) => {
      this.announcer.take(detail.added, detail.ended, detail.mark);
      this.renderSoon();
      if (detail.added.length > 0 || detail.mark) this.autosave.save();
    });
    captioner.addEventListener("cleared", () => {
      this.autosave.clear();
      this.announcer.clear();
      this.lines.reset();
      this.follow.resume();
      this.renderSoon();
    });
    captioner.addEventListener("relabelled", () => {
      this.lines.again();
      this.renderSoon();
      this.autosave.forget();
      this.autosave.save();
    });
    addEventListener("pagehide", () => this.autosave.saveAll());
    // The session of a page from the back/forward cache is over; its text is restored.
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    captioner.addEventListener("gap", ({ detail }) => {
      announce(gapText(detail));
      this.renderSoon();
    });
    captioner.addEventListener("level", () => this.showLevel());
    captioner.addEventListener("problem", ({ detail }) => this.showProblem(detail));
  }

  connectButtons() {
    const { captioner } = this;
    const actions = {
      start: () => (captioner.phase === "idle" ? this.start() : captioner.stop()),
      pause: () => (captioner.phase === "paused" ? captioner.resume() : captioner.pause()),
      smaller: () => resize(-1),
      larger: () => resize(1),
      copy: () => copy(this.transcript.text(speakerName)),
      save: () => this.save(),
      clear: () => this.clear(),
      full: () => toggleFullScreen(),
      "to-live": () => {
        this.follow.resume();
        byId("transcript").focus();
      },
      earlier: () => this.showEarlier(),
      "banner-trouble-close": () => {
        this.hideProblem();
        byId("start").focus();
      },
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  }

  start() {
    this.follow.resume();
    return this.captioner.start();
  }

  // Text

  renderSoon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.render();
    });
  }

  render() {
    this.lines.render(this.follow.isOn);
    byId("welcome").hidden = !this.transcript.isEmpty || this.captioner.phase !== "idle";
    byId("earlier").hidden = !this.lines.hasEarlier;
    for (const id of ["copy", "save", "clear"]) byId(id).disabled = this.transcript.isEmpty;
    this.follow.keep();
  }

  showEarlier() {
    const place = byId("transcript");
    const below = place.scrollHeight - place.scrollTop;
    this.follow.set(false);
    this.lines.showEarlier();
    byId("earlier").hidden = !this.lines.hasEarlier;
    place.scrollTop = place.scrollHeight - below;
  }

  async save() {
    const format = await open("export");
    if (format in TYPES) download(fileName(format), TYPES[format], exportText(this.transcript, format));
  }

  async clear() { if (await confirm(t("clear.question"), t("clear"))) this.captioner.clear(); }

  // State

  showState() {
    const { phase } = this.captioner;
    const { lamp, text, announced } = describe(this.captioner);
    byId("lamp").dataset.state = lamp;
    setText("state", text);
    announceState(announced);
    const isOn = phase !== "idle";
    // A new attempt was made, maybe from another view.
    if (phase === "starting") this.hideProblem();
    // The server was full, and now has room.
    if (this.problem === "busy" && this.captioner.feed.state === "live") this.hideProblem();
    setText("start-text", isOn ? t("stop") : t("start"));
    byId("start-icon").setAttribute("href", `captions/icons.svg#${isOn ? "stop" : "microphone"}`);
    byId("start").disabled = phase === "finishing" || phase === "starting";
    setText("pause-text", phase === "paused" ? t("resume") : t("pause"));
    byId("pause-icon").setAttribute("href", `captions/icons.svg#${phase === "paused" ? "play" : "pause"}`);
    byId("pause").disabled = phase !== "listening" && phase !== "paused";
    setText("kept", this.kept());
    if (!isOn) this.showLevel();
    keepAwake(this, phase === "listening");
    this.renderSoon();
  }

  kept() {
    if (!this.hasHistory) return "";
    return this.captioner.isKept ? t("kept.yes") : t("kept.no");
  }

  showLevel() { this.captioner.level.show(byId("meter-fill"), this.captioner.phase !== "idle"); }

  showProblem(detail) {
    this.problem = detail.code;
    setText("banner-trouble-text", problemText(detail));
    byId("banner-trouble").hidden = false;
    // Other views do not show the banner.
    if (byId("view-captions").hidden) toast(problemText(detail));
  }

  hideProblem() {
    this.problem = null;
    byId("banner-trouble").hidden = true;
  }
}

function setText(id, text) { if (byId(id).textContent !== text) byId(id).textContent = text; }
