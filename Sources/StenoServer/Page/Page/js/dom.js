import { t } from "./i18n.js";

export function byId(id) { return document.getElementById(id); }

/** Makes an element with properties (`class`, `text`, `on…` handlers and attributes) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "text") element.textContent = value;
    else if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Puts an icon before the content of each element that names one. */
export function showIcons() {
  for (const element of document.querySelectorAll("[data-icon]")) {
    const [icon, use] = ["svg", "use"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    icon.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `captions/icons.svg#${element.dataset.icon}`);
    icon.append(use);
    element.prepend(icon);
  }
}

export function download(name, type, content) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Copies a text, and shows and returns whether that was possible: only secure pages have the clipboard. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
    return true;
  } catch {
    toast(t("copy.failed"));
    return false;
  }
}

let toastTimer;

/** Shows a short message, which screen readers also announce. */
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.textContent = ""), 4000);
}
