import { byId, make, toast } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

const MOST = 60;

/** The user's phrases; by default a few in the interface language. */
export function phrases() {
  return settings.phrases ?? [t("phrase.deaf"), t("phrase.slowly"), t("phrase.repeat"), t("phrase.write"),
    t("phrase.thanks")];
}

export function keepPhrase(text) {
  const phrase = text.trim();
  if (!phrase || phrases().includes(phrase)) return;
  settings.phrases = [phrase, ...phrases()].slice(0, MOST);
  toast(t("phrase.kept"));
}

/** Shows the phrases as buttons. @param onChoose Called with the phrase. */
export function showPhrases(onChoose) {
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
