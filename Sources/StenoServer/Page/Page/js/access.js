// The server's API key. It comes from the fragment of the address, which browsers never send, and is kept for this tab.

const KEPT = "steno.key";

/** A copy of the key, for when session storage is not available. */
let given = "";

/** Removes `#key=…` from the address, so that screenshots do not show it; returns all values. */
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
    // Storage is full or blocked: a reload loses the key.
  }
}

/** Opens a WebSocket to a path on the server. Browsers can send a key only as a subprotocol. */
export function openSocket(path) {
  const address = new URL(path, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const protocols = key() ? ["realtime", "openai-insecure-api-key." + key()] : ["realtime"];
  return new WebSocket(address, protocols);
}

/**
 * Whether a close code means that the server would refuse the same request again. 4408 does not: the server got no first
 * message in time, for example because the device was asleep.
 */
export function isRefusal(code) { return code >= 4000 && code < 4500 && code !== 4408; }

/** A failed request, with its status and the server's error message and code. */
export class RequestError extends Error {
  constructor(status, message, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Sends a request with the key; throws a `RequestError` if it fails. */
export async function request(path, options = {}) {
  // Browsers cannot send such a key, for example with curly quotes. The key is wrong; the server is not offline.
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
 * The error if the server will keep refusing connections, because the key is wrong or the origin or host name is not
 * allowed; otherwise null. A missing key is not such an error, since watching a screen needs none.
 */
export async function whyRefused() {
  try {
    await request("v1/steno/captions");
  } catch (error) {
    if ((error.status === 401 && key()) || [403, 421].includes(error.status)) return error;
  }
  return null;
}

export async function requestJSON(path, options) { return (await request(path, options)).json(); }

export function postJSON(path, value) {
  const headers = { "Content-Type": "application/json" };
  return requestJSON(path, { method: "POST", headers, body: JSON.stringify(value) });
}
