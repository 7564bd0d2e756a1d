// Tabs as in the ARIA Authoring Practices: arrow keys switch tabs, and the panel follows.

/** @param onShow Called with the name of the view that is shown. */
export function setUpTabs(onShow) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const shown = () => tabs.filter((tab) => !tab.hidden);

  function show(tab) {
    for (const other of tabs) {
      const isShown = other === tab;
      other.setAttribute("aria-selected", isShown);
      other.tabIndex = isShown ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isShown;
    }
    onShow(tab.id.slice("tab-".length));
  }

  for (const tab of tabs) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const list = shown();
      const at = list.indexOf(tab);
      const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
      const backward = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
      const target = {
        [forward]: list[(at + 1) % list.length],
        [backward]: list[(at + list.length - 1) % list.length],
        Home: list[0],
        End: list.at(-1),
      }[event.key];
      if (!target) return;
      event.preventDefault();
      target.focus();
      show(target);
    });
  }
}
