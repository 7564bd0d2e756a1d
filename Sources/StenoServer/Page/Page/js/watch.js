import { isRefusal, openSocket, whyRefused } from "./access.js";

const PAUSE = 2000;
/** The interval between pings, in milliseconds; after three without an answer, the connection counts as lost. */
const HEARTBEAT = 10000;

/** Reads the text of another page's session, by its screen name; reconnects until it is refused. */
export class Watch {
  /**
   * @param handlers `event(event)`, `change(isThere)` when the server can be reached or no longer can, and
   *   `problem(error)`, after which it does not try again.
   */
  constructor(screen, handlers) {
    this.screen = screen;
    this.handlers = handlers;
    this.connect();
    setInterval(() => this.check(), HEARTBEAT);
  }

  connect() {
    let socket;
    try {
      socket = openSocket("v1/steno/live");
    } catch {
      // The key has characters that subprotocols cannot contain.
      return this.handlers.problem({ code: "invalid_api_key" });
    }
    this.socket = socket;
    this.heard = performance.now();
    let problem = null;
    socket.onopen = () => socket.send(JSON.stringify({ type: "watch", screen: this.screen }));
    socket.onmessage = (message) => {
      const event = JSON.parse(message.data);
      this.heard = performance.now();
      if (event.type === "watching") this.set(true);
      if (event.type === "error" && event.sequence === undefined) problem = event;
      else if (event.type !== "pong") this.handlers.event(event);
    };
    socket.onclose = ({ code }) => this.lost(code, problem);
  }

  async lost(code, problem) {
    this.socket = null;
    // A page that is not listening now may start later.
    const mayCome = problem?.code === "screen_not_found";
    this.set(mayCome);
    const error = isRefusal(code) && !mayCome ? (problem ?? { code }) : await whyRefused();
    if (error) return this.handlers.problem(error);
    setTimeout(() => this.connect(), PAUSE);
  }

  set(isThere) {
    if (this.isThere === isThere) return;
    this.isThere = isThere;
    this.handlers.change(isThere);
  }

  /** A lost network does not close the connection, so a timeout has to detect it. */
  check() {
    const { socket } = this;
    if (!socket) return;
    if (performance.now() - this.heard > 3 * HEARTBEAT) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      this.lost(0, null);
    } else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
  }
}
