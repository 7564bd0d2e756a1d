import { byId, make } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

/** Keys, the buttons they press, and descriptions for the help. Users can turn them off (WCAG 2.2, 2.1.4). */
const KEYS = [
  ["s", "start", () => t("key.start")],
  ["p", "pause", () => t("pause")],
  ["+", "larger", () => t("size.larger")],
  ["-", "smaller", () => t("size.smaller")],
  ["l", "to-live", () => t("live")],
  ["c", "copy", () => t("copy")],
  ["e", "save", () => t("save")],
  ["x", "clear", () => t("clear")],
  ["f", "full", () => t("full")],
  ["?", "help-open", () => t("help")],
];

export function setUpShortcuts() {
  document.addEventListener("keydown", (event) => {
    // Holding a key down presses once, except to change the text size.
    if (event.repeat && !["+", "=", "-"].includes(event.key)) return;
    if (!settings.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const id = KEYS.find(([key]) => key === event.key || (key === "+" && event.key === "="))?.[1];
    const button = id && byId(id);
    if (!button || button.disabled || button.hidden || !button.checkVisibility()) return;
    event.preventDefault();
    button.click();
  });
}

export function listKeys() {
  const rows = KEYS.map(([key, , text]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text: text() })]);
  byId("keys").replaceChildren(...rows.flat());
}
