// The key of the server: given in the fragment of the address, which no server ever sees, and kept for this tab.

const KEPT = "steno.key";

/** What a browser that keeps nothing for pages would forget. */
let given = "";

/** Takes `#key=…` out of the address, so that a picture of the screen does not show it; returns all values. */
export function readFragment() {
  const values = new URLSearchParams(location.hash.slice(1));
  const key = values.get("key");
  if (key) {
    setKey(key);
    const others = new URLSearchParams(values);
    others.delete("key");
    const rest = others.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest ? "#" + rest : ""));
  }
  return values;
}

export function key() {
  try {
    return sessionStorage.getItem(KEPT) ?? given;
  } catch {
    return given;
  }
}

export function setKey(value) {
  given = value.trim();
  try {
    sessionStorage.setItem(KEPT, given);
  } catch {
    // Storage is full or forbidden: the key lasts as long as the page.
  }
}

/** A socket to a path of the server; browsers can send a key as a subprotocol only. */
export function openSocket(path) {
  const address = new URL(path, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const protocols = key() ? ["realtime", "openai-insecure-api-key." + key()] : ["realtime"];
  return new WebSocket(address, protocols);
}

/**
 * Whether the code with which the server closed a socket says that it would refuse the same again. It would not where
 * its patience ended (4408), as with a device that slept before it said anything.
 */
export function isRefusal(code) {
  return code >= 4000 && code < 4500 && code !== 4408;
}

/** A failed request, with the status and the server's words. */
export class RequestError extends Error {
  constructor(status, message, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Sends a request with the key; throws a `RequestError` for any answer that is not a success. */
export async function request(path, options = {}) {
  // A browser cannot send it, as with the quotation marks of a text: it is wrong, and the server is there.
  if (/[^\x20-\x7e]/.test(key())) throw new RequestError(401, "", "invalid_api_key");
  const headers = { ...(options.headers ?? {}) };
  if (key()) headers.Authorization = "Bearer " + key();
  const address = new URL(path, document.baseURI);
  address.hash = "";
  const response = await fetch(address, { ...options, headers }).catch(() => {
    throw new RequestError(0, "", "offline");
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new RequestError(response.status, body.error?.message ?? response.statusText, body.error?.code);
}

/**
 * Why the server refuses connections for good: a key that is wrong, or a name it does not go by; else null. It lets
 * those without a key say what they want first.
 */
export async function whyRefused() {
  try {
    await request("v1/steno/captions");
  } catch (error) {
    if ((error.status === 401 && key()) || [403, 421].includes(error.status)) return error;
  }
  return null;
}

export async function requestJSON(path, options) {
  return (await request(path, options)).json();
}

export function postJSON(path, value) {
  const headers = { "Content-Type": "application/json" };
  return requestJSON(path, { method: "POST", headers, body: JSON.stringify(value) });
}
