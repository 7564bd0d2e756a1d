// Keeps the screen on while captions are shown (Screen Wake Lock API).

let lock = null;
let isWanted = false;
let isAsking = false;

async function acquire() {
  if (!isWanted || lock || isAsking || document.visibilityState !== "visible") return;
  isAsking = true;
  try {
    lock = await navigator.wakeLock?.request("screen");
    lock?.addEventListener("release", () => (lock = null));
    if (!isWanted) release();
  } catch {
    lock = null;
  } finally {
    isAsking = false;
  }
}

function release() {
  lock?.release();
  lock = null;
}

export function keepAwake(wanted) {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) acquire();
  else release();
}

// The system takes the lock away while the page is hidden.
document.addEventListener("visibilitychange", acquire);
