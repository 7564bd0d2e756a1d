import { open } from "./dialogs.js";
import { byId, copy, make } from "./dom.js";
import { INTERFACES, t } from "./i18n.js";
import { COMPUTER, Microphone } from "./microphone.js";
import { settings } from "./settings.js";

const THEMES = { auto: () => t("theme.auto"), dark: () => t("theme.dark"), light: () => t("theme.light"),
  yellow: () => t("theme.yellow") };
const FACES = { sans: () => t("face.sans"), serif: () => t("face.serif"), mono: () => t("face.mono"),
  legible: () => t("face.legible"), dyslexic: () => t("face.dyslexic") };
const CHECKS = ["vibrate", "alertSpeech", "noise", "save", "speakers", "announce", "shortcuts"];

/** The settings dialog. Changes apply at once, with the text next to it. */
export class SettingsView {
  constructor() {
    byId("settings-open").addEventListener("click", () => this.open());
    byId("help-open").addEventListener("click", () => open("help"));
    this.connect();
    addEventListener("localechange", () => {
      this.fill();
      this.fillDevices();
    });
    this.fill();
  }

  async open() {
    this.fill();
    open("settings");
    await this.fillDevices();
  }

  connect() {
    for (const name of ["size", "line", "letters", "words"]) {
      byId(`set-${name}`).addEventListener("input", ({ target }) => (settings[name] = Number(target.value)));
    }
    for (const name of ["face", "device", "interface"]) {
      byId(`set-${name}`).addEventListener("change", ({ target }) => (settings[name] = target.value));
    }
    for (const name of CHECKS) {
      byId(`set-${name}`).addEventListener("change", ({ target }) => (settings[name] = target.checked));
    }
    byId("set-names").addEventListener("change", ({ target }) => {
      settings.names = target.value.split(",").map((name) => name.trim()).filter(Boolean).slice(0, 20);
    });
    byId("set-screen").addEventListener("change", ({ target }) => this.share(target.checked));
    byId("screen-copy").addEventListener("click", async () => {
      // Otherwise, the text is selected, to be copied with the keyboard.
      if (!(await copy(byId("screen-address").value))) byId("screen-address").select();
    });
  }

  fill() {
    byId("theme").replaceChildren(...Object.entries(THEMES).map(([value, text]) => this.theme(value, text())));
    fillSelect("set-face", FACES, settings.face);
    const names = { "": () => t("interface.browser") };
    for (const [code, name] of Object.entries(INTERFACES)) names[code] = () => name;
    fillSelect("set-interface", names, settings.interface);
    for (const name of ["size", "line", "letters", "words"]) byId(`set-${name}`).value = settings[name];
    for (const name of CHECKS) byId(`set-${name}`).checked = settings[name];
    byId("set-names").value = settings.names.join(", ");
    this.showScreen();
  }

  theme(value, text) {
    const input = make("input", { type: "radio", name: "theme", value, id: `theme-${value}` });
    input.checked = settings.theme === value;
    input.addEventListener("change", () => (settings.theme = value));
    return make("label", { class: "check" }, input, make("span", { text }));
  }

  async fillDevices() {
    const devices = await Microphone.list();
    const names = { "": () => t("microphone.default") };
    devices.forEach((device, index) => {
      names[device.deviceId] = () => device.label || t("microphone.number", { number: index + 1 });
    });
    if (navigator.mediaDevices?.getDisplayMedia) names[COMPUTER] = () => t("microphone.computer");
    fillSelect("set-device", names, settings.device in names ? settings.device : "");
  }

  /** Shares the text of this page with everyone who has the address. */
  share(isOn) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    settings.screen = isOn ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
    this.showScreen();
  }

  showScreen() {
    const isOn = settings.screen !== "";
    byId("set-screen").checked = isOn;
    byId("screen-row").hidden = byId("screen-copy").hidden = !isOn;
    // The address has no key, which would also open the history: the random name is enough for reading along.
    const fragment = new URLSearchParams({ screen: settings.screen });
    byId("screen-address").value = new URL(`overlay?size=48#${fragment}`, document.baseURI).href;
  }
}

function fillSelect(id, names, value) {
  const options = Object.entries(names).map(([code, name]) => make("option", { value: code, text: name() }));
  byId(id).replaceChildren(...options);
  byId(id).value = value;
}
