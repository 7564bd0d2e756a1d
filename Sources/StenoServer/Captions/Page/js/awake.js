// Keeps the screen on while captions are shown (Screen Wake Lock API).

let lock = null;
/** Who wants it to stay on. */
const holders = new Set();
let isAsking = false;

async function acquire() {
  if (holders.size === 0 || lock || isAsking || document.visibilityState !== "visible") return;
  isAsking = true;
  try {
    const own = await navigator.wakeLock?.request("screen");
    lock = own ?? null;
    // The end of one lock may be reported when there is another one.
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

/** @param holder Whoever wants it, or not any more. */
export function keepAwake(holder, isWanted) {
  if (isWanted === holders.has(holder)) return;
  if (isWanted) holders.add(holder);
  else holders.delete(holder);
  if (holders.size > 0) acquire();
  else release();
}

// The system takes the lock away while the page is hidden.
document.addEventListener("visibilitychange", acquire);
