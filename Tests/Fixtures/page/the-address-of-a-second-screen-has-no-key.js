// The address of a second screen has no key.
define("location", { hash: "#key=a-key-of-the-server" });
define("sessionStorage", { getItem: () => "a-key-of-the-server", setItem() {} });
document.createElement = () => ({ addEventListener() {}, setAttribute() {}, append() {} });
const { SettingsView } = await import("./js/settings-view.js");
const { settings } = await import("./js/settings.js");
settings.screen = "0123456789abcdef0123456789abcdef";
new SettingsView();
report(element("screen-address").value);
// reports "http://localhost/overlay?size=48#screen=0123456789abcdef0123456789abcdef"
