import { key, readFragment } from "./access.js";
import { Attention } from "./attention.js";
import { CaptionsView } from "./captions-view.js";
import { Captioner } from "./captioner.js";
import { byId, showIcons, toast } from "./dom.js";
import { FaceView } from "./face-view.js";
import { HistoryView } from "./history-view.js";
import { choose, setLocale, t } from "./i18n.js";
import { chosenLanguage, setUpLanguages } from "./languages.js";
import { serverOffer } from "./offer.js";
import { RecordView } from "./record-view.js";
import { applyLook, onSetting, settings } from "./settings.js";
import { SettingsView } from "./settings-view.js";
import { listKeys, setUpShortcuts } from "./shortcuts.js";
import { setUpTabs } from "./tabs.js";
import { WriteView } from "./write-view.js";

/** Until the server answers, the page can show only that it is waiting. */
function showTrouble(isOffline) {
  byId("banner-trouble-text").textContent = isOffline ? t("problem.offline") : "";
  byId("banner-trouble").hidden = !isOffline;
}

function showAbout({ version = "", model = "", fingerprint = "" }) {
  // A server that refused the request has sent no version.
  const parts = version ? [t("about", { version, model })] : [];
  if (fingerprint) parts.push(t("about.certificate", { fingerprint }));
  byId("about").textContent = parts.join(" ");
}

function applySettings(captioner) {
  onSetting((name) => {
    applyLook();
    if (name === "interface") setLocale(choose(settings.interface));
    if (["language", "names", "save"].includes(name)) captioner.update();
    // Saving cannot be resumed within a session.
    if (name === "save" && settings.save && !captioner.isKept) toast(t("kept.later"));
    if (name === "device") captioner.change();
  });
}

async function begin() {
  showIcons();
  readFragment();
  // The printed address was opened in this tab again.
  addEventListener("hashchange", () => {
    if (readFragment().has("key")) location.reload();
  });
  applyLook();
  await setLocale(choose(settings.interface));
  const offer = await serverOffer(showTrouble);
  if (offer.language && settings.language === null) settings.language = offer.language;
  const captioner = new Captioner({
    get language() { return chosenLanguage(); },
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
    if (name === "history") history.list();
  });
  document.querySelector(".skip").addEventListener("click", () => byId("tab-captions").click());
  const localize = () => {
    listKeys();
    showAbout(offer);
  };
  addEventListener("localechange", localize);
  localize();
  applySettings(captioner);
  captions.showState();
  document.documentElement.dataset.ready = key() ? "key" : "open";
}

begin();
