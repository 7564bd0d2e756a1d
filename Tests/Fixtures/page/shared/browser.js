// A mocked browser. Nothing happens by itself: scripts open and close sockets, move the clock and run pending timers.
const define = (name, value) => {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};
const clock = { now: 0 };
const waiting = [];
const sockets = [];
const problems = [];
const elements = new Map();
const element = (id) => {
  if (!elements.has(id)) {
    elements.set(id, {
      id,
      listeners: {},
      style: {},
      children: [],
      classes: new Set(),
      addEventListener(name, action) { this.listeners[name] = action; },
      setAttribute() {},
      replaceChildren(...children) { this.children = children; },
      append(...children) { this.children.push(...children); },
      get classList() {
        const { classes } = this;
        return {
          contains: (name) => classes.has(name),
          toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)),
        };
      },
    });
  }
  return elements.get(id);
};
define("document", {
  baseURI: "http://localhost/",
  visibilityState: "visible",
  body: element("body"),
  documentElement: element("html"),
  listeners: {},
  getElementById: element,
  querySelectorAll: () => [...elements.values()].filter((one) => one.classes.has("fills")),
  addEventListener(name, action) { this.listeners[name] = action; },
  removeEventListener(name) { delete this.listeners[name]; },
});
define("innerWidth", 1280);
define("addEventListener", () => {});
define("performance", { now: () => clock.now });
define("setTimeout", (action, pause) => waiting.push({ action, pause }));
define("clearTimeout", () => {});
define("setInterval", () => 0);
define("clearInterval", () => {});
define("fetch", async () => ({ ok: true, json: async () => ({}) }));
define("File", class extends Blob {});
define("WebSocket", class {
  constructor() {
    this.bufferedAmount = 0;
    sockets.push(this);
  }
  send(text) { this.sent = text; }
  close() {}
});
/** The server sends an event over the last connection. */
const say = (event) => sockets.at(-1).onmessage({ data: JSON.stringify(event) });
/** Pending promises have settled. */
const answered = () => new Promise((resolve) => setImmediate(resolve));
const report = (value) => console.log(JSON.stringify(value));
