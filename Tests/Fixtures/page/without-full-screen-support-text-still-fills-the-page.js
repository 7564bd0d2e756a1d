// Without full screen support text still fills the page.
const { toggleFullScreen } = await import("./js/dialogs.js");
const states = [];
const note = () => states.push(element("show").classes.has("fills"));
const press = (key) => document.listeners.keydown?.({ key });
toggleFullScreen(element("show"));
note();
toggleFullScreen(element("show"));
note();
toggleFullScreen(element("show"));
press("a");
note();
press("Escape");
note();
document.fullscreenEnabled = true;
element("show").requestFullscreen = async () => states.push("full screen");
toggleFullScreen(element("show"));
note();
report(states);
// reports [true,false,true,false,"full screen",false]
