import { locale, t } from "./i18n.js";
import { toast } from "./dom.js";

/** The voice of a language: one of this device before one that needs a network. */
function voiceFor(language) {
  const voices = speechSynthesis.getVoices().filter((voice) => voice.lang.toLowerCase().startsWith(language));
  return voices.find((voice) => voice.localService) ?? voices[0];
}

/**
 * Speaks a text with the browser's own voice.
 *
 * @param onSpeaking Called with true before and false after it, so that the microphone does not hear it.
 */
export function say(text, onSpeaking = () => {}, language = locale) {
  if (!text.trim()) return;
  if (!("speechSynthesis" in window)) return toast(t("say.none"));
  speechSynthesis.cancel();
  const voice = voiceFor(language);
  if (voice && !voice.localService) toast(t("say.remote"));
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = voice?.lang ?? language;
  if (voice) utterance.voice = voice;
  utterance.onend = utterance.onerror = () => onSpeaking(false);
  onSpeaking(true);
  speechSynthesis.speak(utterance);
}
