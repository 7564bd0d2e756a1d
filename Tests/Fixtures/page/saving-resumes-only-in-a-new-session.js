// Saving resumes only in a new session. The page's saving state matches the server's.
const { Captioner } = await import("./js/captioner.js");
const settings = { language: "en", names: [], save: true };
const captioner = new Captioner(settings);
const { feed } = captioner;
const said = [];
feed.say = (value) => said.push(value.save);
const states = [];
const note = () => states.push(captioner.isKept);
const begin = () => {
  feed.session = null;
  feed.hello();
  feed.state = "live";
};
const choose = (save) => {
  settings.save = save;
  captioner.update();
  note();
};
note();
captioner.phase = "listening";
begin();
note();
choose(false);
choose(true);
// The session is lost, and another one begins.
begin();
note();
captioner.fail("history_failed");
note();
begin();
note();
captioner.phase = "idle";
choose(false);
choose(true);
report([states, said]);
// reports [[true,true,false,false,true,false,true,false,true],[false,false,false,true]]
