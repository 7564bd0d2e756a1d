// The page's settings, stored only in this browser.

const KEPT = "steno.settings";

const defaults = {
  interface: "",
  theme: "auto",
  size: innerWidth < 600 ? 28 : 40,
  face: "sans",
  line: 1.4,
  letters: 0,
  words: 0,
  // Null until the user chooses; empty means detection.
  language: null,
  quick: null,
  device: "",
  names: [],
  noise: true,
  alertSpeech: false,
  vibrate: true,
  announce: true,
  shortcuts: true,
  save: true,
  speakers: true,
  screen: "",
  phrases: null,
};

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

const target = { ...defaults, ...read() };
const listeners = new Set();

/** The settings; setting one stores it and calls every listener with its name. */
export const settings = new Proxy(target, {
  set(object, name, value) {
    object[name] = value;
    try {
      localStorage.setItem(KEPT, JSON.stringify(object));
    } catch {
      // Storage is full or blocked: a reload loses the setting.
    }
    for (const listener of listeners) listener(name);
    return true;
  },
});

export function onSetting(listener) { listeners.add(listener); }

/** The smallest and largest font size in pixels, and the factor between sizes. */
export const SIZES = { min: 16, max: 160, step: 1.15 };

export function resize(direction) {
  const size = direction > 0 ? settings.size * SIZES.step : settings.size / SIZES.step;
  settings.size = Math.round(Math.max(SIZES.min, Math.min(SIZES.max, size)));
}

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
