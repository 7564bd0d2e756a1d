import { toggleFullScreen } from "./dialogs.js";
import { byId, make, toast } from "./dom.js";
import { keepFitting } from "./fit.js";
import { t } from "./i18n.js";
import { say } from "./say.js";
import { settings } from "./settings.js";

const MOST = 60;

/** The user's phrases; by default a few in the interface language. */
function phrases() {
  return settings.phrases ?? [t("phrase.deaf"), t("phrase.slowly"), t("phrase.repeat"), t("phrase.write"),
    t("phrase.thanks")];
}

function keepPhrase(text) {
  const phrase = text.trim();
  if (!phrase || phrases().includes(phrase)) return;
  settings.phrases = [phrase, ...phrases()].slice(0, MOST);
  toast(t("phrase.kept"));
}

/** Shows the phrases as buttons. @param onChoose Called with the phrase. */
function showPhrases(onChoose) {
  const place = byId("phrases");
  const items = phrases().map((phrase, index) => {
    const remove = make("button", {
      class: "icon", "aria-label": t("phrase.remove", { phrase }), text: "×",
      onclick: () => {
        settings.phrases = phrases().filter((other) => other !== phrase);
        showPhrases(onChoose);
        // Otherwise, keyboard focus would return to the top of the page.
        const others = place.querySelectorAll("button.icon");
        (others[Math.min(index, others.length - 1)] ?? byId("write-keep")).focus();
      },
    });
    return make("li", {}, make("button", { text: phrase, dir: "auto", onclick: () => onChoose(phrase) }), remove);
  });
  place.replaceChildren(...items);
}

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

  get text() { return byId("write-text").value; }

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

  listPhrases() { showPhrases((phrase) => this.set(phrase)); }
}
