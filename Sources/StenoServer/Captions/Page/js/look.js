import { settings } from "./settings.js";

/** Applies size, typeface, spacing and theme to the page. */
export function applyLook() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.face = settings.face;
  // No larger than four words of a narrow window, whatever was chosen on a wide one.
  root.style.setProperty("--size", `min(${settings.size}px, 22vw)`);
  root.style.setProperty("--line", settings.line);
  root.style.setProperty("--letters", `${settings.letters}em`);
  root.style.setProperty("--words", `${settings.words}em`);
}
