import { key, readFragment, requestJSON, setKey } from "./access.js";
import { Attention } from "./attention.js";
import { CaptionsView } from "./captions-view.js";
import { Captioner } from "./captioner.js";
import { open } from "./dialogs.js";
import { byId } from "./dom.js";
import { FaceView } from "./face-view.js";
import { HistoryView } from "./history-view.js";
import { choose, INTERFACES, setLocale, t } from "./i18n.js";
import { setUpLanguages } from "./languages.js";
import { applyLook } from "./look.js";
import { RecordView } from "./record-view.js";
import { onSetting, settings } from "./settings.js";
import { SettingsView } from "./settings-view.js";
import { listKeys, setUpShortcuts } from "./shortcuts.js";
import { setUpTabs } from "./tabs.js";
import { WriteView } from "./write-view.js";

/** What the server offers; asks for the key until it is right. */
async function serverOffer() {
  for (;;) {
    try {
      return await requestJSON("v1/steno/captions");
    } catch (error) {
      if (error.status !== 401) return { languages: Object.keys(INTERFACES), history: false, speakers: false };
      await open("key");
      setKey(byId("key-value").value);
    }
  }
}

function showAbout({ version = "", model = "", fingerprint = "" }) {
  // A server that did not answer has not said.
  const parts = version ? [t("about", { version, model })] : [];
  if (fingerprint) parts.push(t("about.certificate", { fingerprint }));
  byId("about").textContent = parts.join(" ");
}

function applySettings(captioner) {
  onSetting((name) => {
    applyLook();
    if (name === "interface") setLocale(choose(settings.interface));
    if (name === "language" || name === "names") captioner.update();
    if (name === "device") captioner.change();
  });
}

async function begin() {
  readFragment();
  // The printed address was opened in this tab once more.
  addEventListener("hashchange", () => {
    if (readFragment().has("key")) location.reload();
  });
  applyLook();
  await setLocale(choose(settings.interface));
  const offer = await serverOffer();
  if (offer.language && settings.language === null) settings.language = offer.language;
  const captioner = new Captioner({
    get language() { return settings.language; },
    get device() { return settings.device; },
    get names() { return settings.names; },
    get screen() { return settings.screen; },
    get save() { return offer.history && settings.save; },
    get speakers() { return offer.speakers && settings.speakers; },
  });
  const hold = (isSpeaking) => (captioner.isHeld = isSpeaking);
  const captions = new CaptionsView(captioner);
  captions.hasHistory = offer.history;
  new Attention(captioner);
  new WriteView(hold);
  new RecordView();
  new SettingsView();
  const face = new FaceView(captioner, hold);
  const history = new HistoryView();
  byId("tab-history").hidden = byId("set-save-row").hidden = !offer.history;
  byId("set-speakers-row").hidden = !offer.speakers;
  setUpLanguages(offer.languages, onSetting);
  setUpShortcuts();
  setUpTabs((name) => {
    if (name === "captions") captions.render();
    if (name === "face") face.open();
    if (name === "history") history.open();
  });
  document.querySelector(".skip").addEventListener("click", () => byId("tab-captions").click());
  const localize = () => {
    listKeys();
    showAbout(offer);
  };
  addEventListener("localechange", localize);
  onSetting((name) => {
    if (name === "save") captions.showState();
  });
  localize();
  applySettings(captioner);
  captions.showState();
  document.documentElement.dataset.ready = key() ? "key" : "open";
}

begin();
