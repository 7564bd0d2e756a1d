import { announce } from "./announcer.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

/** Sound this many decibels above the background counts as loud. */
const LOUD = 15;
const LOUDEST_BACKGROUND = -50;
/** Blocks of 50 ms after which non-speech sound is reported; speech is recognised sooner. */
const BLOCKS = 28;
/** The silence after which new speech is announced, in milliseconds. */
const PAUSE = 20000;

function plainText(text) { return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(); }

/** Counts the names in a text: whole words only, ignoring case and accents. */
export function countNames(names, text) {
  const words = names.map((name) => plainText(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter(Boolean);
  if (words.length === 0) return 0;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  return plainText(text).match(pattern)?.length ?? 0;
}

/** Alerts the reader when someone says one of their names or speaks after a pause, and when there is noise. */
export class Attention {
  constructor(captioner) {
    this.captioner = captioner;
    this.reset();
    captioner.addEventListener("text", ({ detail }) => this.watchNames(detail.added));
    captioner.addEventListener("event", ({ detail }) => this.watchSpeech(detail));
    captioner.addEventListener("level", () => this.watchNoise());
    captioner.addEventListener("cleared", () => this.reset());
    captioner.addEventListener("change", () => {
      if (captioner.phase !== "listening") this.setNoise(false);
    });
  }

  reset() {
    this.finals = this.seen = 0;
    this.floor = 0;
    this.loud = 0;
    this.silentSince = performance.now();
  }

  watchNames(added) {
    if (settings.names.length === 0) return;
    for (const segment of added) this.finals += countNames(settings.names, segment.text);
    const all = this.finals + countNames(settings.names, this.captioner.transcript.partial);
    if (all > this.seen) this.alert(t("banner.name"));
    // A name in volatile text counts only once until the text is final, since it may disappear and come back.
    this.seen = added.length > 0 ? all : Math.max(this.seen, all);
  }

  watchSpeech(event) {
    if (event.type !== "speech") return;
    const now = performance.now();
    if (event.speaking && settings.alertSpeech && now - this.silentSince > PAUSE) this.alert(t("banner.speech"));
    this.silentSince = event.speaking ? Infinity : now;
  }

  watchNoise() {
    const { level, isSpeech, isHeld, transcript, feed, phase } = this.captioner;
    this.floor = Math.min(level.rms, this.floor + 0.02);
    const isLoud = level.rms > Math.max(this.floor + LOUD, LOUDEST_BACKGROUND);
    // `isHeld` means that the page itself is speaking.
    const canKnow = phase === "listening" && !isHeld && feed.state === "live" && !isSpeech && transcript.partial === "";
    this.loud = canKnow ? Math.max(0, Math.min(2 * BLOCKS, this.loud + (isLoud ? 1 : -1))) : 0;
    if (this.loud >= BLOCKS) this.setNoise(settings.noise);
    else if (this.loud === 0) this.setNoise(false);
  }

  setNoise(isOn) {
    if (byId("banner-noise").hidden !== isOn) return;
    byId("banner-noise").hidden = !isOn;
    if (isOn) announce(t("banner.noise"));
  }

  /** Shows a banner, flashes the edge twice and vibrates. */
  alert(text) {
    byId("banner-name-text").textContent = text;
    announce(text);
    byId("banner-name").hidden = false;
    byId("glow").hidden = false;
    if (settings.vibrate) navigator.vibrate?.([250, 120, 250]);
    clearTimeout(this.glowTimer);
    clearTimeout(this.bannerTimer);
    this.glowTimer = setTimeout(() => (byId("glow").hidden = true), 2000);
    this.bannerTimer = setTimeout(() => (byId("banner-name").hidden = true), 8000);
  }
}
