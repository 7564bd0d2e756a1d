// After the server finishes a session a new one starts.
// with feed
sockets[0].onopen();
say({ type: "welcome", session: "first", position: 0 });
say({ type: "error", message: "The audio has ended.", code: "session_finished", fatal: false });
say({ type: "state", sequence: 0, position: 0, state: "finished" });
sockets[0].onclose({ code: 1000, reason: "" });
report([feed.state, feed.session, ...problems]);
// reports ["waiting",null]
