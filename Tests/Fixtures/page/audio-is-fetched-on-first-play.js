// Audio is fetched on first play.
// with player
let [fetched, give] = [0, null];
const segments = [{ id: 0, start: 2, text: " One." }, { id: 1, start: 5, text: " Two." }];
player = new Player(segments, { fetch: () => {
  fetched += 1;
  return new Promise((resolve) => (give = resolve));
} });
const counts = [fetched];
player.play(2);
player.play(5);
counts.push(fetched);
// It did not come.
give(null);
await answered();
player.play(2);
player.play(5);
counts.push(fetched);
give(new Blob());
await answered();
await player.play(2);
report([counts, fetched, played]);
// reports [[0,1,2],2,[5,2]]
