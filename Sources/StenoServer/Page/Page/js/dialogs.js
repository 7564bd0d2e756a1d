import { byId } from "./dom.js";

/** The open dialogs, topmost last. */
const opened = [];

/** Opens a dialog; returns the value of the button that closed it. */
export function open(id) {
  const dialog = byId(id);
  dialog.returnValue = "";
  dialog.showModal();
  opened.push(dialog);
  moveMessages();
  return new Promise((resolve) => {
    const close = () => {
      opened.splice(opened.indexOf(dialog), 1);
      moveMessages();
      resolve(dialog.returnValue);
    };
    dialog.addEventListener("close", close, { once: true });
  });
}

/** Screen readers ignore everything outside a modal dialog, so messages move into the topmost one. */
function moveMessages() {
  // Otherwise, earlier messages would be announced again.
  for (const id of ["log", "announce"]) byId(id).replaceChildren();
  (opened.at(-1) ?? document.body).append(byId("messages"));
}

/** Asks before an action that cannot be undone. */
export async function confirm(question, answer) {
  byId("ask-text").textContent = question;
  byId("ask-yes").textContent = answer;
  return (await open("ask")) === "yes";
}

export function toggleFullScreen(element = document.documentElement) {
  // iPhones allow it only for video.
  if (!document.fullscreenEnabled) fill(element, !element.classList.contains("fills"));
  else if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen({ navigationUI: "hide" }).catch(() => fill(element, true));
}

/** Makes an element fill the page where full screen is not available; Escape leaves it. */
function fill(element, isOn) {
  element.classList.toggle("fills", isOn);
  if (isOn) document.addEventListener("keydown", leave);
  else document.removeEventListener("keydown", leave);
}

function leave(event) {
  if (event.key !== "Escape" || opened.length > 0) return;
  for (const element of document.querySelectorAll(".fills")) fill(element, false);
}
