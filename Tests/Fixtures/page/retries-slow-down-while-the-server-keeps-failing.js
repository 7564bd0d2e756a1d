// Retries slow down while the server keeps failing.
// with feed
/** The server sends a welcome and text, then fails; returns the pause before the next attempt. */
const fail = ({ text = "", seconds = 0 } = {}) => {
  sockets.at(-1).onopen();
  say({ type: "welcome", session: `s${sockets.length}`, position: 0 });
  say({ type: "partial", sequence: 0, position: 0, text });
  clock.now += 1000 * seconds;
  feed.check();
  say({ type: "state", sequence: 1, position: 0, state: "failed" });
  sockets.at(-1).onclose({ code: 1000, reason: "" });
  const { action, pause } = waiting.pop();
  action();
  return pause;
};
const pauses = [fail(), fail(), fail(), fail(), fail(), fail({ seconds: 9 })];
report([...pauses, fail({ text: " a" }), fail(), fail({ seconds: 11 }), fail()]);
// reports [250,500,1000,2000,3000,3000,250,500,250,500]
