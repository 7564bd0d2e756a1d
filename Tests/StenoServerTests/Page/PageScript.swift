#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The page's own scripts with a mocked browser, server and clock.
    enum PageScript {
        /// The program that runs scripts without a browser.
        private static let node = InstalledTool.find("node")

        /// Whether node is installed, or must be.
        static var canRun: Bool { node != nil || mustRun }

        /// Runs a script with the page's own and returns its report.
        static func report(_ script: String) throws -> JSONValue {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            // Without it, node would not treat the scripts as modules.
            try folder.write(#"{"type": "module"}"#, to: "package.json")
            for (name, file) in try CaptionsPage().files where name.hasSuffix(".js") {
                try folder.write(file.text, to: name)
            }
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

        /// Expects a report from a script that uses the page's own.
        static func expect(
            _ expected: JSONValue, from script: String, at location: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try report(script) == expected, sourceLocation: location)
        }

        /// A mocked browser.
        ///
        /// Nothing happens by itself: tests open and close sockets, move the clock and run pending timers.
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
                  id,
                  listeners: {},
                  style: {},
                  children: [],
                  classes: new Set(),
                  addEventListener(name, action) { this.listeners[name] = action; },
                  setAttribute() {},
                  replaceChildren(...children) { this.children = children; },
                  append(...children) { this.children.push(...children); },
                  get classList() {
                    const { classes } = this;
                    return {
                      contains: (name) => classes.has(name),
                      toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)),
                    };
                  },
                });
              }
              return elements.get(id);
            };
            define("document", {
              baseURI: "http://localhost/",
              visibilityState: "visible",
              body: element("body"),
              documentElement: element("html"),
              listeners: {},
              getElementById: element,
              querySelectorAll: () => [...elements.values()].filter((one) => one.classes.has("fills")),
              addEventListener(name, action) { this.listeners[name] = action; },
              removeEventListener(name) { delete this.listeners[name]; },
            });
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
              send(text) { this.sent = text; }
              close() {}
            });
            /** The server sends an event over the last connection. */
            const say = (event) => sockets.at(-1).onmessage({ data: JSON.stringify(event) });
            /** Pending promises have settled. */
            const answered = () => new Promise((resolve) => setImmediate(resolve));
            const report = (value) => console.log(JSON.stringify(value));

            """#
    }
#endif
