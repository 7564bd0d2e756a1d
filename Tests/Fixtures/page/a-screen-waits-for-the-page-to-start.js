// A screen waits for the page to start.
const { Watch } = await import("./js/watch.js");
const changes = [];
// The server asks for a key, which the address of a screen does not have.
define("fetch", async () => ({ ok: false, status: 401, json: async () => ({}) }));
new Watch("screen", {
  event() {}, change: (isThere) => changes.push(isThere), problem: (error) => problems.push(error.code),
});
for (let attempt = 0; attempt < 3; attempt++) {
  sockets.at(-1).onmessage({
    data: JSON.stringify({ type: "error", code: "screen_not_found", fatal: true }),
  });
  sockets.at(-1).onclose({ code: 4404 });
  await answered();
  waiting.pop().action();
}
say({ type: "watching" });
// The server was ended.
sockets.at(-1).onclose({ code: 1006 });
await answered();
waiting.pop().action();
report([sockets.length, changes, problems]);
// reports [5,[true,false],[]]
