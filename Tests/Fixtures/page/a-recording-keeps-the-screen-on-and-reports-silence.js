// A recording keeps the screen on and reports silence.
let locks = 0;
define("navigator", { languages: ["en"], wakeLock: { async request() {
  locks += 1;
  return { addEventListener() {}, release: () => (locks -= 1) };
} } });
const { keepAwake } = await import("./js/awake.js");
const { RecordView } = await import("./js/record-view.js");
const view = new RecordView();
view.microphone = { async open() {}, close() {} };
view.send = () => new Promise(() => {});
const captions = {};
const states = [];
const note = async () => {
  await answered();
  states.push([locks, element("record-state").textContent]);
};
await view.start();
await note();
clock.now += 6000;
view.showState();
await note();
view.hear({ samples: new Int16Array(1600), rms: 0.1, peak: 0.2 });
view.showState();
await note();
states.push(element("record-meter-fill").style.transform);
keepAwake(captions, true);
view.stop();
await note();
keepAwake(captions, false);
await note();
report(states);
// reports [[1,""],[1,"state.silent"],[1,""],"scaleX(0.82)",[1,"record.busy"],[0,"record.busy"]]
