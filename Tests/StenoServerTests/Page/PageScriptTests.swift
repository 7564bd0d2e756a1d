#if Server
    import Testing

    @testable import StenoServer

    /// The page's own scripts with a mocked browser, server and clock.
    @Suite("The scripts of the captions page", .enabled(if: PageScript.canRun, "node is not installed"))
    struct PageScriptTests {
        private static let feed = #"""
            const { Feed } = await import("./js/feed.js");
            const { AudioRing } = await import("./js/ring.js");
            const feed = new Feed(new AudioRing(1), () => ({}), {
              event() {}, change() {}, gap() {}, done() {}, problem: (code) => problems.push(code),
            });
            feed.start();

            """#

        @Test func retriesSlowDownWhileTheServerKeepsFailing() throws {
            try PageScript.expect(
                [250, 500, 1000, 2000, 3000, 3000, 250, 500, 250, 500],
                from: Self.feed + #"""
                    /** The server sends a welcome and text, then fails; returns the pause before the next attempt. */
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
        }

        @Test func aTimedOutConnectionIsRetried() throws {
            try PageScript.expect(
                ["waiting", "reconnecting", "closed", 0, "invalid_value"],
                from: Self.feed + #"""
                    sockets[0].onopen();
                    say({ type: "error", message: "No message arrived. Send hello first.", code: "timeout", fatal: true });
                    sockets[0].onclose({ code: 4408, reason: "" });
                    const states = [feed.state];
                    waiting.pop().action();
                    states.push(feed.state);
                    say({ type: "error", message: "The first message must be hello.", code: "invalid_value", fatal: true });
                    sockets[1].onclose({ code: 4400, reason: "" });
                    states.push(feed.state);
                    report([...states, waiting.length, ...problems]);
                    """#)
        }

        @Test func aTimedOutScreenReconnects() throws {
            try PageScript.expect(
                [1, 2, 0, 4400],
                from: #"""
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
        }

        @Test func aServerLoadingItsModelIsNotConsideredLost() throws {
            try PageScript.expect(
                ["connecting", "waiting", 1],
                from: Self.feed + #"""
                    sockets[0].onopen();
                    const states = [];
                    for (let second = 0; second < 60; second += 3) {
                      clock.now += 3000;
                      say({ type: "loading" });
                      feed.check();
                      states.push(feed.state);
                    }
                    clock.now += 9000;
                    feed.check();
                    report([...new Set(states), feed.state, sockets.length, ...problems]);
                    """#)
        }

        @Test func textClearedOfflineDoesNotReturnInTheNextSession() throws {
            try PageScript.expect(
                [10, 2],
                from: Self.feed + #"""
                    const RATE = 16000;
                    feed.ring = {
                      start: 0, end: 0, slice: (from, to) => new Int16Array(to - from).fill(7),
                    };
                    sockets[0].onopen();
                    say({ type: "welcome", session: "first", position: 0 });
                    feed.ring.end = 10 * RATE;
                    sockets[0].onclose({ code: 1006, reason: "" });
                    feed.clear();
                    feed.ring.end = 12 * RATE;
                    waiting.pop().action();
                    say({ type: "error", code: "session_not_found", fatal: true });
                    sockets[1].onclose({ code: 4404, reason: "" });
                    waiting.pop().action();
                    const pieces = [];
                    sockets[2].send = (piece) => { if (typeof piece !== "string") pieces.push(piece); };
                    sockets[2].onopen();
                    say({ type: "welcome", session: "second", position: 0 });
                    const sent = pieces.flatMap((piece) => [...new Int16Array(piece, 8)]);
                    report([feed.firstSample / RATE, sent.filter((sample) => sample !== 0).length / RATE]);
                    """#)
        }

        /// A final word's end is known to about 0.1 s, so the next session hears the rest of it.
        @Test func aWordCutByAServerCrashIsNotRepeated() throws {
            try PageScript.expect(
                [
                    " your country", " history", " can", "", " can", [" can", " do"], " country", " country",
                    " country",
                ],
                from: Self.feed + #"""
                    feed.ring = { start: 0, end: 96000, slice: (from, to) => new Int16Array(to - from) };
                    const texts = [];
                    feed.handlers.event = ({ text, segments }) => {
                      if (text !== undefined) texts.push(segments?.map((segment) => segment.text) ?? text);
                    };
                    const part = (...timed) => {
                      const words = timed.map(([word, start, end]) => ({ word, start, end }));
                      const text = words.map(({ word }) => word).join("");
                      return { text, words, start: words[0].start, end: words.at(-1).end };
                    };
                    let sequence = 0;
                    const hear = (type, event) => {
                      say({ type, sequence, id: sequence, position: 3, ...event });
                      sequence += 1;
                    };
                    const restart = () => {
                      sockets.at(-1).onclose({ code: 1006, reason: "" });
                      waiting.pop().action();
                      say({ type: "error", code: "session_not_found", fatal: true });
                      sockets.at(-1).onclose({ code: 4404, reason: "" });
                      waiting.pop().action();
                      sockets.at(-1).onopen();
                      say({ type: "welcome", session: `s${sockets.length}`, position: 0 });
                      sequence = 0;
                    };
                    sockets[0].onopen();
                    say({ type: "welcome", session: "first", position: 0 });
                    const next = part([" can", 2, 2.2]);
                    hear("final", { ...part([" your", 1, 1.4], [" country", 1.4, 2]), partials: [next] });
                    restart();
                    // It may be a mishearing; the next word decides.
                    hear("partial", part([" history", 0.4, 0.6]));
                    hear("partial", part([" history", 0.4, 0.6], [" can", 0.6, 0.8]));
                    restart();
                    hear("partial", part([" Country,", 0.4, 0.6]));
                    hear("partial", part([" Country,", 0.4, 0.6], [" can", 0.6, 0.8]));
                    const segments = [part([" Country,", 0.4, 0.6], [" can", 0.6, 0.8]), part([" do", 0.8, 1])];
                    hear("final", { ...part([" Country, can do", 0.4, 1]), segments });
                    hear("final", { ...part([" country", 0.7, 1.2]), partials: [part([" country", 1.2, 1.6])] });
                    restart();
                    // It was said twice.
                    hear("final", part([" country", 0.5, 0.9]));
                    restart();
                    // This long after the previous word, it is a new one.
                    hear("final", part([" country", 0.9, 1.3]));
                    report(texts);
                    """#)
        }

        /// A mark at the end of an utterance joins its last word, whether it comes alone or within a snapshot.
        @Test func aFullStopIsShownAndKeptWithItsWord() throws {
            try PageScript.expect(
                ["One. Two? Three", " One.", " Two?", " Three", ""],
                from: #"""
                    const { Transcript } = await import("./js/transcript.js");
                    const transcript = new Transcript();
                    const final = (id, text) => ({ type: "final", id, text, start: id, end: id + 1 });
                    transcript.apply({ type: "begin" }, 0);
                    transcript.apply(final(0, " One"), 0);
                    transcript.apply({ type: "utterance_end", utterance: 0, text: "." }, 0);
                    transcript.apply(final(1, " Two"), 0);
                    transcript.apply({ type: "utterance_end", utterance: 1 }, 0);
                    const finals = [final(0, " One."), final(1, " Two?"), final(2, " Three")];
                    transcript.apply({ type: "snapshot", finals }, 0);
                    transcript.apply({ type: "snapshot", finals }, 0);
                    const shown = [transcript.text(), ...transcript.segments.map(({ text }) => text)];
                    transcript.clear();
                    transcript.apply({ type: "utterance_end", utterance: 2, text: "!" }, 0);
                    report([...shown, transcript.text()]);
                    """#)
        }

        @Test func afterTheServerFinishesASessionANewOneStarts() throws {
            try PageScript.expect(
                ["waiting", .null],
                from: Self.feed + #"""
                    sockets[0].onopen();
                    say({ type: "welcome", session: "first", position: 0 });
                    say({ type: "error", message: "The audio has ended.", code: "session_finished", fatal: false });
                    say({ type: "state", sequence: 0, position: 0, state: "finished" });
                    sockets[0].onclose({ code: 1000, reason: "" });
                    report([feed.state, feed.session, ...problems]);
                    """#)
        }

        @Test func aScreenWaitsForThePageToStart() throws {
            try PageScript.expect(
                [5, [true, false], []],
                from: #"""
                    const { Watch } = await import("./js/watch.js");
                    const changes = [];
                    // The server asks for a key, which the address of a screen does not have.
                    define("fetch", async () => ({ ok: false, status: 401, json: async () => ({}) }));
                    new Watch("screen", {
                      event() {}, change: (isThere) => changes.push(isThere), problem: (error) => problems.push(error.code),
                    });
                    for (let attempt = 0; attempt < 3; attempt++) {
                      sockets.at(-1).onmessage({
                        data: JSON.stringify({ type: "error", code: "screen_not_found", fatal: true }),
                      });
                      sockets.at(-1).onclose({ code: 4404 });
                      await answered();
                      waiting.pop().action();
                    }
                    say({ type: "watching" });
                    // The server was ended.
                    sockets.at(-1).onclose({ code: 1006 });
                    await answered();
                    waiting.pop().action();
                    report([sockets.length, changes, problems]);
                    """#)
        }

        @Test func theHistoryIsOfferedOnceTheServerAnswers() throws {
            try PageScript.expect(
                [true, false, true, true, false, false],
                from: #"""
                    const { serverOffer } = await import("./js/offer.js");
                    const answers = [null, 503, 200];
                    define("fetch", async () => {
                      const status = answers.shift();
                      if (status === null) throw new TypeError("the network is gone");
                      return { ok: status === 200, status, json: async () => ({ history: true }) };
                    });
                    define("setTimeout", (action, pause) => queueMicrotask(action));
                    const troubles = [];
                    const offer = await serverOffer((isOffline) => troubles.push(isOffline));
                    answers.push(403);
                    const other = await serverOffer((isOffline) => troubles.push(isOffline));
                    report([offer.history, other.history, ...troubles]);
                    """#)
        }

        /// The page's saving state matches the server's.
        @Test func savingResumesOnlyInANewSession() throws {
            try PageScript.expect(
                [[true, true, false, false, true, false, true, false, true], [false, false, false, true]],
                from: #"""
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
                    """#)
        }

        @Test func aRecordingKeepsTheScreenOnAndReportsSilence() throws {
            try PageScript.expect(
                [[1, ""], [1, "state.silent"], [1, ""], "scaleX(0.82)", [1, "record.busy"], [0, "record.busy"]],
                from: #"""
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
                    """#)
        }

        @Test func anUntranscribedRecordingIsDiscardedOnlyAfterConfirmation() throws {
            try PageScript.expect(
                [
                    [1, 0, "idle", true], [2, 1, "idle", true], [3, 2, "recording", false], [3, 3, "recording", false],
                    5,
                    "read.wav",
                ],
                from: #"""
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
        }

        @Test func thePlayerNamesEachNewSpeaker() throws {
            try PageScript.expect(
                ["[Ann] One hm[Ben] two three", " four", "[Cleo] five six", "[Ann] Seven, eight.", "[Ben] nine"],
                from: #"""
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
        }
    }
#endif
