// Choosing another session aborts pending requests.
// with player
const { HistoryView } = await import("./js/history-view.js");
for (const id of ["history-list", "history-session"]) element(id).querySelectorAll = () => [];
element("history-session").focus = () => {};
const requests = [];
define("fetch", (address, { signal } = {}) => {
  const path = new URL(address).pathname.split("/history/")[1];
  requests.push([path, signal]);
  // Slow responses are still pending.
  if (!/^[ab]$/.test(path)) return new Promise(() => {});
  const session = { id: path, title: "", start: 0, duration: 1, hasAudio: true, segments: [] };
  return Promise.resolve({ ok: true, json: async () => session });
});
const view = new HistoryView();
await view.show("a");
view.player.play(0);
await answered();
await view.show("b");
report(requests.map(([path, signal]) => [path, signal.aborted]));
// reports [["a",true],["a/summary",true],["a/audio",true],["b",false],["b/summary",false]]
