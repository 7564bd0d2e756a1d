// A word cut by a server crash is not repeated. A final word's end is known to about 0.1 s, so the next session hears the rest of it.
// with feed
feed.ring = { start: 0, end: 96000, slice: (from, to) => new Int16Array(to - from) };
const texts = [];
feed.handlers.event = ({ text, segments }) => {
  if (text !== undefined) texts.push(segments?.map((segment) => segment.text) ?? text);
};
const part = (...timed) => {
  const words = timed.map(([word, start, end]) => ({ word, start, end }));
  const text = words.map(({ word }) => word).join("");
  return { text, words, start: words[0].start, end: words.at(-1).end };
};
let sequence = 0;
const hear = (type, event) => {
  say({ type, sequence, id: sequence, position: 3, ...event });
  sequence += 1;
};
const restart = () => {
  sockets.at(-1).onclose({ code: 1006, reason: "" });
  waiting.pop().action();
  say({ type: "error", code: "session_not_found", fatal: true });
  sockets.at(-1).onclose({ code: 4404, reason: "" });
  waiting.pop().action();
  sockets.at(-1).onopen();
  say({ type: "welcome", session: `s${sockets.length}`, position: 0 });
  sequence = 0;
};
sockets[0].onopen();
say({ type: "welcome", session: "first", position: 0 });
const next = part([" can", 2, 2.2]);
hear("final", { ...part([" your", 1, 1.4], [" country", 1.4, 2]), partials: [next] });
restart();
// It may be a mishearing; the next word decides.
hear("partial", part([" history", 0.4, 0.6]));
hear("partial", part([" history", 0.4, 0.6], [" can", 0.6, 0.8]));
restart();
hear("partial", part([" Country,", 0.4, 0.6]));
hear("partial", part([" Country,", 0.4, 0.6], [" can", 0.6, 0.8]));
const segments = [part([" Country,", 0.4, 0.6], [" can", 0.6, 0.8]), part([" do", 0.8, 1])];
hear("final", { ...part([" Country, can do", 0.4, 1]), segments });
hear("final", { ...part([" country", 0.7, 1.2]), partials: [part([" country", 1.2, 1.6])] });
restart();
// It was said twice.
hear("final", part([" country", 0.5, 0.9]));
restart();
// This long after the previous word, it is a new one.
hear("final", part([" country", 0.9, 1.3]));
report(texts);
// reports [" your country"," history"," can",""," can",[" can"," do"]," country"," country"," country"]
