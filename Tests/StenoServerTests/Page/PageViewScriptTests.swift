#if Server
    import Testing

    @testable import StenoServer

    @Suite("The views of the captions page", .enabled(if: PageScript.canRun, "node is not installed"))
    struct PageViewScriptTests {
        @Test func messagesAppearInTheOpenDialog() throws {
            try PageScript.expect(
                [["settings", "ask", "settings", "body"], 0],
                from: #"""
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
                    """#)
        }

        @Test func withoutFullScreenSupportTextStillFillsThePage() throws {
            try PageScript.expect(
                [true, false, true, false, "full screen", false],
                from: #"""
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
                    """#)
        }

        @Test func theAddressOfASecondScreenHasNoKey() throws {
            try PageScript.expect(
                "http://localhost/overlay?size=48#screen=0123456789abcdef0123456789abcdef",
                from: #"""
                    define("location", { hash: "#key=a-key-of-the-server" });
                    define("sessionStorage", { getItem: () => "a-key-of-the-server", setItem() {} });
                    document.createElement = () => ({ addEventListener() {}, setAttribute() {}, append() {} });
                    const { SettingsView } = await import("./js/settings-view.js");
                    const { settings } = await import("./js/settings.js");
                    settings.screen = "0123456789abcdef0123456789abcdef";
                    new SettingsView();
                    report(element("screen-address").value);
                    """#)
        }

        private static let player = #"""
            const make = () => {
              const node = {
                childNodes: [], dataset: {}, listeners: {}, attributes: {},
                addEventListener(name, action) { this.listeners[name] = action; },
                setAttribute(name, value) {
                  this.attributes[name] = value;
                  if (name === "data-segment") this.dataset.segment = String(value);
                },
                append(...children) { this.childNodes.push(...children); },
                get children() { return this.childNodes; },
                get lastChild() {
                  const remove = () => this.childNodes.pop();
                  return { remove };
                },
                contains: () => false,
                querySelector() { return this; },
                scrollIntoView() { shown.push(`to ${this.dataset.segment}`); },
                focus() { shown.push(`focus ${this.dataset.segment}`); },
                play: async () => played.push(player.audio.currentTime),
                pause() {},
              };
              return node;
            };
            const [shown, played] = [[], []];
            document.createElement = make;
            URL.createObjectURL = () => "blob:";
            const { Player } = await import("./js/player.js");
            let player;

            """#

        @Test func audioIsFetchedOnFirstPlay() throws {
            try PageScript.expect(
                [[0, 1, 2], 2, [5, 2]],
                from: Self.player + #"""
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
                    """#)
        }

        @Test func aSearchHitIsShownAndAnEditCanBeUndone() throws {
            try PageScript.expect(
                [
                    ["to 7", "focus 7"], ["0:00| One.| |edit", "0:05| Too.| |edit| |edit.undo"], [[7, .null]],
                    "0:05| Two.| |edit",
                ],
                from: Self.player + #"""
                    const segments = [
                      { id: 0, start: 0, text: " One." },
                      { id: 7, start: 5, text: " Too.", editedText: " Too." },
                    ];
                    const asked = [];
                    player = new Player(segments, { onEdit: async (segment, text) => {
                      asked.push([segment.id, text]);
                      return { text: " Two.", editedText: null };
                    } });
                    player.show(7);
                    const texts = (node) => node.childNodes.map((child) => child.textContent ?? child).join("|");
                    const [first, second] = player.text.childNodes;
                    const before = [texts(first), texts(second)];
                    second.childNodes.at(-1).listeners.click();
                    await answered();
                    report([shown.slice(0, 2), before, asked, texts(second)]);
                    """#)
        }

        @Test func choosingAnotherSessionAbortsPendingRequests() throws {
            try PageScript.expect(
                [["a", true], ["a/summary", true], ["a/audio", true], ["b", false], ["b/summary", false]],
                from: Self.player + #"""
                    const { HistoryView } = await import("./js/history-view.js");
                    for (const id of ["history-list", "history-session"]) element(id).querySelectorAll = () => [];
                    element("history-session").focus = () => {};
                    const requests = [];
                    define("fetch", (address, { signal } = {}) => {
                      const path = new URL(address).pathname.split("/history/")[1];
                      requests.push([path, signal]);
                      // Slow responses are still pending.
                      if (!/^[ab]$/.test(path)) return new Promise(() => {});
                      const session = { id: path, title: "", start: 0, duration: 1, hasAudio: true, segments: [] };
                      return Promise.resolve({ ok: true, json: async () => session });
                    });
                    const view = new HistoryView();
                    await view.show("a");
                    view.player.play(0);
                    await answered();
                    await view.show("b");
                    report(requests.map(([path, signal]) => [path, signal.aborted]));
                    """#)
        }
    }
#endif
