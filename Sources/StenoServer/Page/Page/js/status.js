import { t } from "./i18n.js";

/** The delay from which text counts as late, in seconds. */
const LATE = 2;

/** The state as text, and the state of the lamp; `announced` is the text without numbers that change constantly. */
export function describe(captioner) {
  const { phase, feed, hasSignal, behind } = captioner;
  if (phase === "idle") return plain("idle", t("state.idle"));
  if (phase === "starting") return plain("idle", t("state.starting"));
  if (phase === "paused") return plain("paused", t("state.paused"));
  if (feed.state === "waiting" || feed.state === "reconnecting") {
    const text = t("state.reconnecting", { count: Math.round(feed.waiting) });
    return { lamp: "trouble", text, announced: t("state.reconnecting.short") };
  }
  if (phase === "finishing") return plain("idle", t("state.finishing"));
  if (feed.state === "connecting") return plain("idle", t("state.starting"));
  if (!hasSignal) return plain("trouble", t("state.silent"));
  if (behind >= LATE) {
    const text = t("state.behind", { count: Math.round(behind) });
    return { lamp: "listening", text, announced: t("state.listening") };
  }
  return plain("listening", t("state.listening"));
}

function plain(lamp, text) { return { lamp, text, announced: text }; }

/** Messages for problems with the microphone or the server, by their codes. */
const PROBLEMS = {
  __proto__: null,
  NotAllowedError: () => t("problem.denied"),
  SecurityError: () => t("problem.insecure"),
  NotFoundError: () => t("problem.missing"),
  OverconstrainedError: () => t("problem.missing"),
  NotReadableError: () => t("problem.used"),
  ended: () => t("problem.ended"),
  busy: () => t("problem.busy"),
  server_busy: () => t("problem.busy"),
  elsewhere: () => t("problem.elsewhere"),
  invalid_api_key: () => t("problem.key"),
  offline: () => t("problem.offline"),
  history_failed: () => t("problem.history"),
  session_not_found: () => t("problem.gone"),
  session_in_use: () => t("problem.recorded"),
  summary_failed: () => t("problem.summary"),
};

export function problemText({ code, message }) {
  return PROBLEMS[code]?.() ?? t("problem.other", { message: message || String(code) });
}
