import { openSocket } from "./access.js";

const PAUSE = 2000;

/** Reads the text of another page's session, of which it knows the screen's name; connects again for ever. */
export class Watch {
  /** @param handlers `event(event)` and `change(isConnected)`. */
  constructor(screen, handlers) {
    this.screen = screen;
    this.handlers = handlers;
    this.connect();
  }

  connect() {
    const socket = openSocket("v1/steno/live");
    socket.onopen = () => socket.send(JSON.stringify({ type: "watch", screen: this.screen }));
    socket.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.type === "watching") this.handlers.change(true);
      this.handlers.event(event);
    };
    socket.onclose = () => {
      this.handlers.change(false);
      setTimeout(() => this.connect(), PAUSE);
    };
  }
}
