const make = () => {
  const node = {
    childNodes: [], dataset: {}, listeners: {}, attributes: {},
    addEventListener(name, action) { this.listeners[name] = action; },
    setAttribute(name, value) {
      this.attributes[name] = value;
      if (name === "data-segment") this.dataset.segment = String(value);
    },
    append(...children) { this.childNodes.push(...children); },
    get children() { return this.childNodes; },
    get lastChild() {
      const remove = () => this.childNodes.pop();
      return { remove };
    },
    contains: () => false,
    querySelector() { return this; },
    scrollIntoView() { shown.push(`to ${this.dataset.segment}`); },
    focus() { shown.push(`focus ${this.dataset.segment}`); },
    play: async () => played.push(player.audio.currentTime),
    pause() {},
  };
  return node;
};
const [shown, played] = [[], []];
document.createElement = make;
URL.createObjectURL = () => "blob:";
const { Player } = await import("./js/player.js");
let player;
