// An untranscribed recording is discarded only after confirmation.
const { RecordView } = await import("./js/record-view.js");
const view = new RecordView();
let [answer, asked, opened, isAllowed] = ["no", 0, 0, true];
element("ask").showModal = () => {
  asked += 1;
  element("ask").returnValue = answer;
  queueMicrotask(() => element("ask").listeners.close());
};
view.microphone = {
  async open() {
    opened += 1;
    if (!isAllowed) throw Object.assign(new Error(), { name: "NotAllowedError" });
  },
  close() {},
};
const states = [];
const start = async () => {
  await view.start();
  states.push([asked, opened, view.phase, view.unread !== null]);
  view.phase = "idle";
};
view.unread = new Blob();
await start();
[answer, isAllowed] = ["yes", false];
await start();
isAllowed = true;
await start();
// It is on the disk.
view.unread = new File();
await start();
const read = [];
view.transcribe = (audio) => read.push(audio);
const choose = async (name) => {
  element("record-file").listeners.change({ target: { files: [name], value: name } });
  await answered();
};
view.unread = new Blob();
answer = "no";
await choose("kept.wav");
answer = "yes";
await choose("read.wav");
report([...states, asked, ...read]);
// reports [[1,0,"idle",true],[2,1,"idle",true],[3,2,"recording",false],[3,3,"recording",false],5,"read.wav"]
