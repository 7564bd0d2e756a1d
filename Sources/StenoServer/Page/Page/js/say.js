import { toast } from "./dom.js";
import { locale, t } from "./i18n.js";

/** How long to wait for voices, which browsers load late or never, in milliseconds. */
const VOICES_TIME = 1500;
/** How often to check whether a voice has finished, since some send no event, in milliseconds. */
const CHECK = 250;

/** The text being spoken; a later one replaces it. */
let current = null;

/** The browser's voices, once they are loaded. */
function voices() {
  const known = speechSynthesis.getVoices();
  if (known.length > 0) return known;
  return new Promise((resolve) => {
    const give = () => resolve(speechSynthesis.getVoices());
    speechSynthesis.addEventListener("voiceschanged", give, { once: true });
    setTimeout(give, VOICES_TIME);
  });
}

/** A voice for a language: preferably on this device, since others need a network. */
function voiceFor(language, all) {
  const fitting = all.filter((voice) => voice.lang.toLowerCase().split(/[-_]/)[0] === language);
  return fitting.find((voice) => voice.localService) ?? fitting[0];
}

/**
 * Speaks a text with the browser's voice.
 *
 * @param onSpeaking Called with true before and false after speaking, so that the microphone does not pick it up.
 */
export async function say(text, onSpeaking = () => {}, language = locale) {
  if (!text.trim()) return;
  if (!("speechSynthesis" in window)) return toast(t("say.none"));
  const own = {};
  current?.end();
  current = own;
  own.end = () => {
    if (current === own) current = null;
  };
  const all = await voices();
  if (current !== own) return;
  if (all.length === 0) {
    own.end();
    return toast(t("say.none"));
  }
  speechSynthesis.cancel();
  const voice = voiceFor(language, all);
  if (voice && !voice.localService) toast(t("say.remote"));
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = voice?.lang ?? language;
  if (voice) utterance.voice = voice;
  speak(utterance, own, onSpeaking);
}

/** Holds the microphone only while the browser speaks. */
function speak(utterance, own, onSpeaking) {
  const watch = setInterval(() => {
    if (!speechSynthesis.speaking && !speechSynthesis.pending) own.end();
  }, CHECK);
  own.end = () => {
    clearInterval(watch);
    own.end = () => {};
    if (current !== own) return;
    current = null;
    onSpeaking(false);
  };
  utterance.onend = utterance.onerror = () => own.end();
  onSpeaking(true);
  speechSynthesis.speak(utterance);
}
