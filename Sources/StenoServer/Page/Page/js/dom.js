export function byId(id) {
  return document.getElementById(id);
}

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

export function download(name, type, content) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

let toastTimer;

/** Shows a short message, which screen readers also announce. */
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.textContent = ""), 4000);
}
