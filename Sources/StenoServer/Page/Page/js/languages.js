import { byId, make } from "./dom.js";
import { choose, languageName, t } from "./i18n.js";
import { settings } from "./settings.js";

let codes = [];

/** The chosen language if the model supports it; empty means detection. */
export function chosenLanguage() {
  return codes.includes(settings.language) ? settings.language : "";
}

/** The two quick languages; by default the interface language and another one of the browser's. */
export function quickLanguages() {
  if (settings.quick) return settings.quick;
  const first = choose(settings.interface);
  const known = navigator.languages.map((tag) => tag.split("-")[0]).filter((code) => code !== first);
  return [first, known.find((code) => codes.includes(code)) ?? (first === "en" ? "es" : "en")];
}

function sorted() {
  return codes.map((code) => [code, languageName(code)]).sort((a, b) => a[1].localeCompare(b[1]));
}

function fill(select, value, first) {
  const options = sorted().map(([code, name]) => make("option", { value: code, text: name }));
  if (first) options.unshift(make("option", { value: "", text: first }));
  select.replaceChildren(...options);
  select.value = value;
}

function show() {
  fill(byId("language"), chosenLanguage(), t("language.detect"));
  quickLanguages().forEach((code, index) => {
    byId(`quick-${index}`).hidden = !codes.includes(code);
    byId(`quick-${index}`).textContent = languageName(code);
    byId(`quick-${index}`).setAttribute("aria-pressed", settings.language === code);
    fill(byId(`set-quick-${index}`), code);
  });
}

/** @param known The codes of all languages that the model supports. */
export function setUpLanguages(known, onSetting) {
  codes = known;
  show();
  addEventListener("localechange", show);
  onSetting((name) => {
    if (name === "language" || name === "quick") show();
  });
  byId("language").addEventListener("change", ({ target }) => (settings.language = target.value));
  for (const index of [0, 1]) {
    byId(`quick-${index}`).addEventListener("click", () => {
      const code = quickLanguages()[index];
      // A second press returns to detection.
      settings.language = settings.language === code ? "" : code;
    });
    byId(`set-quick-${index}`).addEventListener("change", ({ target }) => {
      const pair = [...quickLanguages()];
      pair[index] = target.value;
      settings.quick = pair;
    });
  }
}
