// Messages appear in the open dialog.
const { open } = await import("./js/dialogs.js");
for (const id of ["settings", "ask"]) element(id).showModal = () => {};
const places = [];
const note = () => {
  const place = ["body", "settings", "ask"].filter((id) => element(id).children.length > 0);
  for (const id of place) element(id).children = [];
  places.push(...place);
};
element("log").children = ["Said before."];
open("settings");
note();
open("ask");
note();
element("ask").listeners.close();
note();
element("settings").listeners.close();
note();
report([places, element("log").children.length]);
// reports [["settings","ask","settings","body"],0]
