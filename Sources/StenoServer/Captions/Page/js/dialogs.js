import { byId } from "./dom.js";

/** The dialogs that are open, the one on top last. */
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

/** What is outside of a modal dialog is behind it, and silent for a screen reader: the messages go where they are read. */
function moveMessages() {
  // What was announced is not announced again in another place.
  for (const id of ["log", "announce"]) byId(id).replaceChildren();
  (opened.at(-1) ?? document.body).append(byId("messages"));
}

/** Asks before something that cannot be taken back. */
export async function confirm(question, answer) {
  byId("ask-text").textContent = question;
  byId("ask-yes").textContent = answer;
  return (await open("ask")) === "yes";
}

/** Full screen on or off. */
export function toggleFullScreen(element = document.documentElement) {
  // Telephones of Apple have it for films alone.
  if (!document.fullscreenEnabled) fill(element, !element.classList.contains("fills"));
  else if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen({ navigationUI: "hide" }).catch(() => fill(element, true));
}

/** The whole page for an element, or not any more, as with Escape. */
function fill(element, isOn) {
  element.classList.toggle("fills", isOn);
  if (isOn) document.addEventListener("keydown", leave);
  else document.removeEventListener("keydown", leave);
}

function leave(event) {
  if (event.key !== "Escape" || opened.length > 0) return;
  for (const element of document.querySelectorAll(".fills")) fill(element, false);
}
