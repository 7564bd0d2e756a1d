// Keeps the screen on while captions are shown (Screen Wake Lock API).

let lock = null;
let isWanted = false;
let isAsking = false;

async function acquire() {
  if (!isWanted || lock || isAsking || document.visibilityState !== "visible") return;
  isAsking = true;
  try {
    const own = await navigator.wakeLock?.request("screen");
    lock = own ?? null;
    // The end of one lock may be reported when there is another one.
    own?.addEventListener("release", () => (lock = lock === own ? null : lock));
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
