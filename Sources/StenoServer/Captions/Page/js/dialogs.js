import { byId } from "./dom.js";

/** Opens a dialog; returns the value of the button that closed it. */
export function open(id) {
  const dialog = byId(id);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

/** Asks before something that cannot be taken back. */
export async function confirm(question, answer) {
  byId("ask-text").textContent = question;
  byId("ask-yes").textContent = answer;
  return (await open("ask")) === "yes";
}

/** Full screen on or off. */
export function toggleFullScreen(element = document.documentElement) {
  if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen?.({ navigationUI: "hide" }).catch(() => {});
}
