// The interface texts, one file per language.

/** The interface languages, each under its own name. */
export const INTERFACES = {
  en: "English",
  es: "Español",
  pt: "Português",
  de: "Deutsch",
  fr: "Français",
  tr: "Türkçe",
};
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

let texts = {};
let fallback = {};
export let locale = "en";

/** The chosen interface language, or else the first supported language of the browser. */
export function choose(choice) {
  const wanted = [choice, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0].toLowerCase());
  return wanted.find((code) => code in INTERFACES) ?? "en";
}

async function load(code) {
  const response = await fetch(new URL(`../locales/${code}.json`, import.meta.url));
  return response.json();
}

let chosen = "";

/** Loads a language and translates the page, unless another one was chosen in the meantime. */
export async function setLocale(code) {
  chosen = code;
  const loaded = await Promise.all([load(code), code === "en" ? {} : load("en")]);
  if (chosen !== code) return;
  [texts, fallback] = loaded;
  locale = code;
  document.documentElement.lang = code;
  document.documentElement.dir = RIGHT_TO_LEFT.has(code) ? "rtl" : "ltr";
  translate(document.documentElement);
  dispatchEvent(new CustomEvent("localechange"));
}

/** The text for a key, with each `{name}` replaced by its value. `count` selects the plural form. */
export function t(key, values = {}) {
  let name = key;
  if (values.count !== undefined) {
    const form = `${key}.${new Intl.PluralRules(locale).select(values.count)}`;
    name = form in texts ? form : `${key}.other`;
  }
  const text = texts[name] ?? fallback[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, field) => values[field] ?? whole);
}

/** The display name of a speaker: an enrolled name, or the number in the interface language. */
export function speakerName(label) {
  const number = /^Speaker (\d+)$/.exec(label)?.[1];
  return number ? t("speaker", { number }) : label;
}

/** Sets the texts of all elements that have a key. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    if (element.matches("button")) element.title = t(element.dataset.tLabel);
  }
  for (const element of root.querySelectorAll("[data-t-placeholder]")) {
    element.placeholder = t(element.dataset.tPlaceholder);
  }
}

/** The name of a language in the interface language. */
export function languageName(code) {
  try {
    const name = new Intl.DisplayNames([locale], { type: "language" }).of(code);
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return code;
  }
}

/** A time within a recording, `1:02:03`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

export function date(seconds) {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}
