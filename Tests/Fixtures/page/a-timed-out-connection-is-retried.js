// A timed out connection is retried.
// with feed
sockets[0].onopen();
say({ type: "error", message: "No message arrived. Send hello first.", code: "timeout", fatal: true });
sockets[0].onclose({ code: 4408, reason: "" });
const states = [feed.state];
waiting.pop().action();
states.push(feed.state);
say({ type: "error", message: "The first message must be hello.", code: "invalid_value", fatal: true });
sockets[1].onclose({ code: 4400, reason: "" });
states.push(feed.state);
report([...states, waiting.length, ...problems]);
// reports ["waiting","reconnecting","closed",0,"invalid_value"]
