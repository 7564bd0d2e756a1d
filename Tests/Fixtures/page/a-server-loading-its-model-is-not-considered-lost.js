// A server loading its model is not considered lost.
// with feed
sockets[0].onopen();
const states = [];
for (let second = 0; second < 60; second += 3) {
  clock.now += 3000;
  say({ type: "loading" });
  feed.check();
  states.push(feed.state);
}
clock.now += 9000;
feed.check();
report([...new Set(states), feed.state, sockets.length, ...problems]);
// reports ["connecting","waiting",1]
