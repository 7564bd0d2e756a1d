#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The program that runs scripts without a browser.
    private let node = InstalledTool.find("node")

    /// The page's own scripts, where a few lines stand in for the browser, the server and the clock.
    @Suite("The scripts of the captions page", .enabled(if: node != nil || mustRun, "node is not installed"))
    struct PageScriptTests {
        /// Runs the page's scripts with another one; returns what that reports.
        private func report(_ script: String) throws -> JSONValue {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            // Otherwise node would not take the scripts for modules.
            try folder.write(#"{"type": "module"}"#, to: "package.json")
            for (name, text) in PageFiles.scripts { try folder.write(text, to: name) }
            let file = try folder.write(Self.browser + script, to: "check.js")
            let process = Process(), output = Pipe()
            process.executableURL = node
            process.arguments = [file.path]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return try JSONValue(parsing: text)
        }

        /// What the scripts find in a browser.
        ///
        /// Nothing happens by itself: a test opens and closes the sockets, moves the clock, and does what waits for it.
        private static let browser = #"""
            const define = (name, value) => {
              Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
            };
            const clock = { now: 0 };
            const waiting = [];
            const sockets = [];
            const problems = [];
            const elements = new Map();
            const element = (id) => {
              if (!elements.has(id)) {
                elements.set(id, {
                  listeners: {},
                  addEventListener(name, action) { this.listeners[name] = action; },
                  setAttribute() {},
                  replaceChildren() {},
                });
              }
              return elements.get(id);
            };
            define("document", { baseURI: "http://localhost/", getElementById: element });
            define("innerWidth", 1280);
            define("addEventListener", () => {});
            define("performance", { now: () => clock.now });
            define("setTimeout", (action, pause) => waiting.push({ action, pause }));
            define("clearTimeout", () => {});
            define("setInterval", () => 0);
            define("clearInterval", () => {});
            define("fetch", async () => ({ ok: true, json: async () => ({}) }));
            define("File", class extends Blob {});
            define("WebSocket", class {
              constructor() {
                this.bufferedAmount = 0;
                sockets.push(this);
              }
              send() {}
              close() {}
            });
            /** The server says something through the last connection. */
            const say = (event) => sockets.at(-1).onmessage({ data: JSON.stringify(event) });
            /** What waits for answers has them. */
            const answered = () => new Promise((resolve) => setImmediate(resolve));
            const report = (value) => console.log(JSON.stringify(value));

            """#

        private static let feed = #"""
            const { Feed } = await import("./js/feed.js");
            const { AudioRing } = await import("./js/ring.js");
            const feed = new Feed(new AudioRing(1), () => ({}), {
              event() {}, change() {}, gap() {}, done() {}, problem: (code) => problems.push(code),
            });
            feed.start();

            """#

        @Test func aServerThatWelcomesAndFailsIsAskedLessAndLessOften() throws {
            let pauses = try report(
                Self.feed + #"""
                    /** The server welcomes, says something, and fails; returns the pause before the next attempt. */
                    const fail = ({ text = "", seconds = 0 } = {}) => {
                      sockets.at(-1).onopen();
                      say({ type: "welcome", session: `s${sockets.length}`, position: 0 });
                      say({ type: "partial", sequence: 0, position: 0, text });
                      clock.now += 1000 * seconds;
                      feed.check();
                      say({ type: "state", sequence: 1, position: 0, state: "failed" });
                      sockets.at(-1).onclose({ code: 1000, reason: "" });
                      const { action, pause } = waiting.pop();
                      action();
                      return pause;
                    };
                    const pauses = [fail(), fail(), fail(), fail(), fail(), fail({ seconds: 9 })];
                    report([...pauses, fail({ text: " a" }), fail(), fail({ seconds: 11 }), fail()]);
                    """#)
            let expected: JSONValue = [250, 500, 1000, 2000, 3000, 3000, 250, 500, 250, 500]
            #expect(pauses == expected)
        }

        @Test func aServerThatHeardNothingInTimeIsAskedAgain() throws {
            let found = try report(
                Self.feed + #"""
                    sockets[0].onopen();
                    say({ type: "error", message: "No message came.", code: "timeout", fatal: true });
                    sockets[0].onclose({ code: 4408, reason: "" });
                    const states = [feed.state];
                    waiting.pop().action();
                    states.push(feed.state);
                    say({ type: "error", message: "Begin with hello.", code: "invalid_value", fatal: true });
                    sockets[1].onclose({ code: 4400, reason: "" });
                    states.push(feed.state);
                    report([...states, waiting.length, ...problems]);
                    """#)
            let expected: JSONValue = ["waiting", "reconnecting", "closed", 0, "invalid_value"]
            #expect(found == expected)
        }

        @Test func aScreenThatSaidNothingInTimeConnectsAgain() throws {
            let found = try report(
                #"""
                const { Watch } = await import("./js/watch.js");
                new Watch("screen", { event() {}, change() {}, problem: (error) => problems.push(error.code) });
                sockets[0].onclose({ code: 4408 });
                await answered();
                const isWaiting = waiting.length;
                waiting.pop()?.action();
                sockets.at(-1).onclose({ code: 4400 });
                await answered();
                report([isWaiting, sockets.length, waiting.length, ...problems]);
                """#)
            let expected: JSONValue = [1, 2, 0, 4400]
            #expect(found == expected)
        }

        @Test func aRecordingWithoutTextMakesRoomOnlyWhenItIsAskedFor() throws {
            let found = try report(
                #"""
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
                """#)
            let expected: JSONValue = [
                [1, 0, "idle", true], [2, 1, "idle", true], [3, 2, "recording", false], [3, 3, "recording", false], 5,
                "read.wav",
            ]
            #expect(found == expected)
        }

        @Test func aPlayerNamesEverybodyWhoBeginsToSpeak() throws {
            let found = try report(
                #"""
                document.createElement = () => ({
                  childNodes: [],
                  addEventListener() {},
                  setAttribute() {},
                  append(...children) { this.childNodes.push(...children); },
                });
                const { Player } = await import("./js/player.js");
                const said = (id, words, more = {}) => ({
                  id,
                  start: id,
                  text: words.map(([text]) => text).join(""),
                  words: words.map(([word, speaker]) => ({ word, speaker, start: id, end: id + 1 })),
                  speaker: null,
                  editedText: null,
                  ...more,
                });
                const { text } = new Player([
                  said(0, [[" One", "Ann"], [" hm", null], [" two", "Ben"], [" three", "Ben"]]),
                  said(1, [[" four", "Ben"]]),
                  said(2, [[" five", "Ben"], [" six", "Ann"]], { speaker: "Cleo" }),
                  said(3, [[" seven", "Ann"], [" ate", "Ben"]], { text: " Seven, eight.", editedText: " Seven, eight." }),
                  said(4, [[" nine", "Ben"]]),
                ]);
                const shown = (node) => {
                  if (typeof node === "string") return node;
                  return node.className === "speaker" ? `[${node.textContent}]` : node.textContent;
                };
                report(text.childNodes.map(({ childNodes }) => childNodes.slice(1).map(shown).join("")));
                """#)
            let expected: JSONValue = [
                "[Ann] One hm[Ben] two three", " four", "[Cleo] five six", "[Ann] Seven, eight.", "[Ben] nine",
            ]
            #expect(found == expected)
        }
    }
#endif
