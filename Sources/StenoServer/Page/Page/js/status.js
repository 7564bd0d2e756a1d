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

function plain(lamp, text) {
  return { lamp, text, announced: text };
}

/** The message for a problem with the microphone or the server. */
export function problemText({ code, message }) {
  switch (code) {
    case "NotAllowedError":
      return t("problem.denied");
    case "SecurityError":
      return t("problem.insecure");
    case "NotFoundError":
    case "OverconstrainedError":
      return t("problem.missing");
    case "NotReadableError":
      return t("problem.used");
    case "ended":
      return t("problem.ended");
    case "busy":
    case "server_busy":
      return t("problem.busy");
    case "elsewhere":
      return t("problem.elsewhere");
    case "invalid_api_key":
      return t("problem.key");
    case "offline":
      return t("problem.offline");
    case "history_failed":
      return t("problem.history");
    case "session_not_found":
      return t("problem.gone");
    case "session_in_use":
      return t("problem.recorded");
    case "summary_failed":
      return t("problem.summary");
    default:
      return t("problem.other", { message: message || String(code) });
  }
}
