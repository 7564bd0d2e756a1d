// Text cleared offline does not return in the next session.
// with feed
const RATE = 16000;
feed.ring = {
  start: 0, end: 0, slice: (from, to) => new Int16Array(to - from).fill(7),
};
sockets[0].onopen();
say({ type: "welcome", session: "first", position: 0 });
feed.ring.end = 10 * RATE;
sockets[0].onclose({ code: 1006, reason: "" });
feed.clear();
feed.ring.end = 12 * RATE;
waiting.pop().action();
say({ type: "error", code: "session_not_found", fatal: true });
sockets[1].onclose({ code: 4404, reason: "" });
waiting.pop().action();
const pieces = [];
sockets[2].send = (piece) => { if (typeof piece !== "string") pieces.push(piece); };
sockets[2].onopen();
say({ type: "welcome", session: "second", position: 0 });
const sent = pieces.flatMap((piece) => [...new Int16Array(piece, 8)]);
report([feed.firstSample / RATE, sent.filter((sample) => sample !== 0).length / RATE]);
// reports [10,2]
