import { settings } from "./settings.js";

/** Applies size, typeface, spacing and theme to the page. */
export function applyLook() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.face = settings.face;
  // Capped, because a size chosen in a wide window may be too large for a narrow one.
  root.style.setProperty("--size", `min(${settings.size}px, 22vw)`);
  root.style.setProperty("--line", settings.line);
  root.style.setProperty("--letters", `${settings.letters}em`);
  root.style.setProperty("--words", `${settings.words}em`);
}
