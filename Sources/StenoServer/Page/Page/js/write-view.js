import { toggleFullScreen } from "./dialogs.js";
import { byId } from "./dom.js";
import { keepFitting } from "./fit.js";
import { t } from "./i18n.js";
import { keepPhrase, showPhrases } from "./phrases.js";
import { say } from "./say.js";

/** Shows what the user writes as large as fits, or speaks it. */
export class WriteView {
  /** @param hold Called with whether the page is speaking. */
  constructor(hold) {
    this.hold = hold;
    this.fit = keepFitting(byId("show-text"));
    byId("write-text").addEventListener("input", () => this.show());
    byId("write-full").addEventListener("click", () => toggleFullScreen(byId("show")));
    byId("show").addEventListener("click", () => toggleFullScreen(byId("show")));
    byId("write-say").addEventListener("click", () => say(this.text, this.hold));
    byId("write-turn").addEventListener("click", () => this.turn());
    byId("write-clear").addEventListener("click", () => this.set(""));
    byId("write-keep").addEventListener("click", () => {
      keepPhrase(this.text);
      this.listPhrases();
    });
    addEventListener("localechange", () => {
      this.listPhrases();
      this.show();
    });
    this.listPhrases();
    this.show();
  }

  get text() {
    return byId("write-text").value;
  }

  set(text) {
    byId("write-text").value = text;
    this.show();
  }

  show() {
    byId("show-text").textContent = this.text || t("write.empty");
    this.fit();
  }

  turn() {
    const isTurned = byId("show").classList.toggle("turned");
    byId("write-turn").setAttribute("aria-pressed", isTurned);
  }

  listPhrases() {
    showPhrases((phrase) => this.set(phrase));
  }
}
