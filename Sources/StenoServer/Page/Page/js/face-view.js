import { toggleFullScreen } from "./dialogs.js";
import { byId } from "./dom.js";
import { keepFitting } from "./fit.js";
import { Follow } from "./follow.js";
import { t } from "./i18n.js";
import { Lines } from "./lines.js";
import { say } from "./say.js";
import { describe } from "./status.js";

/** Two people with one device between them: written text faces the other person, captions face the user. */
export class FaceView {
  constructor(captioner, hold) {
    this.captioner = captioner;
    this.lines = new Lines(byId("face-lines"), captioner.transcript);
    this.follow = new Follow(byId("face-mine"), () => {});
    this.fit = keepFitting(byId("face-other-text"));
    byId("face-write").addEventListener("input", () => this.show());
    byId("face-say").addEventListener("click", () => say(byId("face-write").value, hold));
    byId("face-start").addEventListener("click", () => {
      if (captioner.phase === "idle") captioner.start();
      else captioner.stop();
    });
    byId("face-full").addEventListener("click", () => toggleFullScreen());
    captioner.addEventListener("text", () => this.render());
    captioner.addEventListener("cleared", () => {
      this.lines.reset();
      this.render();
    });
    captioner.addEventListener("relabelled", () => {
      this.lines.again();
      this.render();
    });
    captioner.addEventListener("gap", () => this.render());
    captioner.addEventListener("change", () => this.showState());
    addEventListener("localechange", () => {
      this.lines.again();
      this.show();
      this.showState();
    });
    // The state text may count seconds.
    setInterval(() => this.showState(), 1000);
    this.show();
    this.showState();
  }

  get isShown() { return !byId("view-face").hidden; }

  /** Called when the view is shown. */
  open() {
    this.showState();
    this.fit();
  }

  render() {
    if (!this.isShown) return;
    this.lines.render(this.follow.isOn);
    this.follow.keep();
  }

  show() {
    byId("face-other-text").textContent = byId("face-write").value || t("face.empty");
    this.fit();
  }

  showState() {
    if (!this.isShown) return;
    const isOn = this.captioner.phase !== "idle";
    const { text } = describe(this.captioner);
    if (byId("face-state").textContent !== text) byId("face-state").textContent = text;
    byId("face-start").disabled = ["starting", "finishing"].includes(this.captioner.phase);
    byId("face-start-text").textContent = isOn ? t("stop") : t("start");
    byId("face-start-icon").setAttribute("href", `captions/icons.svg#${isOn ? "stop" : "microphone"}`);
    this.render();
  }
}
