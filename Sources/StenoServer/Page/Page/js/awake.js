// Keeps the screen on while captions are shown (Screen Wake Lock API).

let lock = null;
/** The views that need the screen on. */
const holders = new Set();
let isAsking = false;

async function acquire() {
  if (holders.size === 0 || lock || isAsking || document.visibilityState !== "visible") return;
  isAsking = true;
  try {
    const own = await navigator.wakeLock?.request("screen");
    lock = own ?? null;
    // The release of a lock may be reported after another one was acquired.
    own?.addEventListener("release", () => (lock = lock === own ? null : lock));
    if (holders.size === 0) release();
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

/** @param holder The view that needs the screen on, or no longer does. */
export function keepAwake(holder, isWanted) {
  if (isWanted === holders.has(holder)) return;
  if (isWanted) holders.add(holder);
  else holders.delete(holder);
  if (holders.size > 0) acquire();
  else release();
}

// Browsers release the lock when the page is hidden.
document.addEventListener("visibilitychange", acquire);
