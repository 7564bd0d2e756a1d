import { toast } from "./dom.js";
import { locale, t } from "./i18n.js";

/** Browsers load their voices after the page; some never have any. In milliseconds. */
const VOICES_TIME = 1500;
/** Some voices end without saying so: it is looked at so often, in milliseconds. */
const CHECK = 250;

/** The text that is spoken: a later one takes its place. */
let current = null;

/** The voices of the browser, as soon as it has some. */
function voices() {
  const known = speechSynthesis.getVoices();
  if (known.length > 0) return known;
  return new Promise((resolve) => {
    const give = () => resolve(speechSynthesis.getVoices());
    speechSynthesis.addEventListener("voiceschanged", give, { once: true });
    setTimeout(give, VOICES_TIME);
  });
}

/** The voice of a language: one of this device before one that needs a network. */
function voiceFor(language, all) {
  const fitting = all.filter((voice) => voice.lang.toLowerCase().split(/[-_]/)[0] === language);
  return fitting.find((voice) => voice.localService) ?? fitting[0];
}

/**
 * Speaks a text with the browser's own voice.
 *
 * @param onSpeaking Called with true before and false after it, so that the microphone does not hear it.
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

/** The microphone is held as long as the browser speaks, and never longer. */
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
