// The history is offered once the server answers.
const { serverOffer } = await import("./js/offer.js");
const answers = [null, 503, 200];
define("fetch", async () => {
  const status = answers.shift();
  if (status === null) throw new TypeError("the network is gone");
  return { ok: status === 200, status, json: async () => ({ history: true }) };
});
define("setTimeout", (action, pause) => queueMicrotask(action));
const troubles = [];
const offer = await serverOffer((isOffline) => troubles.push(isOffline));
answers.push(403);
const other = await serverOffer((isOffline) => troubles.push(isOffline));
report([offer.history, other.history, ...troubles]);
// reports [true,false,true,true,false,false]
