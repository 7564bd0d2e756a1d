const { Feed } = await import("./js/feed.js");
const { AudioRing } = await import("./js/ring.js");
const feed = new Feed(new AudioRing(1), () => ({}), {
  event() {}, change() {}, gap() {}, done() {}, problem: (code) => problems.push(code),
});
feed.start();
