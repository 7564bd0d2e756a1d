// A timed out screen reconnects.
const { Watch } = await import("./js/watch.js");
new Watch("screen", { event() {}, change() {}, problem: (error) => problems.push(error.code) });
sockets[0].onclose({ code: 4408 });
await answered();
const isWaiting = waiting.length;
waiting.pop()?.action();
sockets.at(-1).onclose({ code: 4400 });
await answered();
report([isWaiting, sockets.length, waiting.length, ...problems]);
// reports [1,2,0,4400]
