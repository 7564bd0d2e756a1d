import { isRefusal, openSocket, whyRefused } from "./access.js";
import { RATE } from "./ring.js";
import { REST, Seam } from "./seam.js";

const PATH = "v1/steno/live";
/** The most data to buffer in the socket, in bytes: four seconds of audio. */
const MOST_WAITING = 4 * 2 * RATE;
const LONGEST_MESSAGE = RATE;
/** Delays between connection attempts, in milliseconds. */
const PAUSES = [250, 500, 1000, 2000, 3000];
/** A session that has lasted this long counts as working, even without any text, in milliseconds. */
const STEADY = 10000;
/** After this long without a message from the server, the connection counts as lost, in milliseconds. */
const PATIENCE = 8000;
/** How long to wait for the last text from a server that cannot be reached, in milliseconds. */
const LAST_WORDS_TIME = 60000;
/** Silence before the audio of a replacement session, in seconds. */
const LEAD = 0.5;
/** The longest delay between the start of speech and its event, in seconds. */
const SPEECH_DELAY = 1.5;

/**
 * The connection to the server: sends the audio of a ring, and delivers every event once.
 *
 * A lost connection is resumed: the server says which audio it has, and sends the missing events. If the server no longer
 * has the session, for example after a restart, a new one begins with the audio after the last final text, so that nothing
 * is lost or repeated. Times are those of the page: `base` is where the session began.
 */
export class Feed {
  /**
   * @param ring The audio to send.
   * @param options Returns the fields of the first message.
   * @param handlers `event(event, base)`, `change()` when the connection changes, `gap(seconds, isAll)` when audio was
   *   lost (`isAll`: all audio of the lost session that has no final text), `problem(code, message)`, `done()` when a
   *   finished session has sent all of its text.
   */
  constructor(ring, options, handlers) {
    this.ring = ring;
    this.options = options;
    this.handlers = handlers;
    this.state = "closed";
    this.reset();
  }

  reset() {
    this.session = null;
    this.last = -1;
    this.firstSample = this.base = this.sent = this.acked = this.cut = this.ring.end;
    /** Attempts since a session last worked. A welcome does not reset it, because the server may fail right afterwards. */
    this.attempt = 0;
    this.isFinishing = this.isOver = this.mustFinalize = false;
    /** Messages to send after reconnecting, by type. */
    this.owed = new Map();
    this.seam = new Seam();
    this.isSpeech = this.isOpen = this.hasPartial = this.isLate = false;
    this.problem = null;
  }

  /** Seconds of audio that the server has not acknowledged. */
  get waiting() { return this.state === "closed" ? 0 : (this.ring.end - this.acked) / RATE; }

  start() {
    this.reset();
    this.watch = setInterval(() => this.check(), 1000);
    this.connect();
  }

  /** Sends new audio from the ring. */
  push() {
    if (this.state !== "live") return;
    // Until now the server had nothing to acknowledge, for example during a pause, so its silence does not count.
    if (this.acked >= this.sent) this.heard = performance.now();
    if (this.sent < this.ring.start) {
      this.handlers.gap((this.ring.start - this.sent) / RATE, false);
      this.sent = this.ring.start;
    }
    while (this.sent < this.ring.end && this.socket.bufferedAmount < MOST_WAITING) {
      const end = Math.min(this.ring.end, this.sent + LONGEST_MESSAGE);
      this.socket.send(this.message(this.sent, end));
      this.sent = end;
    }
    if (this.sent < this.ring.end) return;
    if (this.mustFinalize) {
      this.mustFinalize = false;
      this.say({ type: "finalize" });
    }
    if (this.isFinishing && !this.saidFinish) {
      this.saidFinish = true;
      this.say({ type: "finish" });
    }
  }

  /** A binary message: the number of the first sample within the session, then the samples. */
  message(from, to) {
    const bytes = new ArrayBuffer(8 + 2 * (to - from));
    const view = new DataView(bytes);
    view.setBigUint64(0, BigInt(from - this.base), true);
    // Typed arrays use the machine's byte order, which is little-endian wherever browsers run.
    const samples = new Int16Array(bytes, 8);
    samples.set(this.ring.slice(from, to));
    if (from < this.firstSample) samples.fill(0, 0, this.firstSample - from);
    return bytes;
  }

  say(value) { if (this.state === "live") this.socket.send(JSON.stringify(value)); }

  /** Sends a message now or after reconnecting. A new session does not need it: its first message has all options. */
  owe(value) {
    if (this.state === "live") this.say(value);
    else this.owed.set(value.type, value);
  }

  /** Discards the text, including that of audio which the server does not have yet. */
  clear() {
    // A replacement session begins here.
    this.cut = this.ring.end;
    this.seam.forget();
    this.owe({ type: "clear" });
  }

  /** Makes the text of all audio so far final. */
  finalize() {
    this.mustFinalize = true;
    this.push();
  }

  /** Ends the audio; the rest of the text follows. */
  finish() {
    if (this.state === "closed") return;
    this.isFinishing = true;
    this.heard = performance.now();
    this.deadline = this.heard + LAST_WORDS_TIME;
    this.push();
  }

  /** Closes without waiting for the rest of the text. */
  close() {
    clearInterval(this.watch);
    clearTimeout(this.timer);
    this.drop();
    this.set("closed");
  }

  /** Reconnects without delay, for example when the browser is online again. */
  hurry() { if (this.state === "waiting") this.connect(); }

  // The connection

  connect() {
    clearTimeout(this.timer);
    this.set(this.attempt === 0 ? "connecting" : "reconnecting");
    const asked = performance.now();
    this.heard = asked;
    this.saidFinish = false;
    let socket;
    try {
      socket = openSocket(PATH);
    } catch {
      // The key has characters that subprotocols cannot contain. Report it only after the caller has returned.
      this.timer = setTimeout(() => {
        this.close();
        this.handlers.problem("invalid_api_key", "");
      });
      return;
    }
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onclose = (event) => this.lost(event);
    socket.onerror = () => {
      // Browsers do not say why a connection was refused.
      if (this.socket === socket && this.heard === asked) this.explain();
    };
  }

  /** Gives up if the refusal is permanent, such as for a wrong key; a server that does not answer may come back. */
  async explain() {
    const problem = await whyRefused();
    if (!problem || this.state === "closed" || this.state === "live") return;
    this.close();
    this.handlers.problem(problem.code, problem.message);
  }

  hello() {
    if (this.session) return { type: "hello", session: this.session, lastEvent: this.last };
    this.owed.clear();
    return { type: "hello", ...this.options() };
  }

  /** Drops the socket without waiting for its close event, which may take a minute. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    this.socket = null;
    socket.close();
  }

  lost(event) {
    this.drop();
    if (this.isFinishing && this.isOver) return this.complete();
    const problem = this.problem;
    this.problem = null;
    const isForgotten = problem?.code === "session_not_found";
    if (isRefusal(event?.code) && !isForgotten) {
      this.close();
      const code = event.code === 4001 ? "elsewhere" : (problem?.code ?? "refused");
      return this.handlers.problem(code, problem?.message ?? event.reason);
    }
    if (event?.code === 1013) this.handlers.problem("busy", event.reason);
    const pause = isForgotten ? 0 : PAUSES[Math.min(this.attempt, PAUSES.length - 1)];
    if (this.isOver || isForgotten) this.session = null;
    this.isOver = false;
    this.attempt += 1;
    this.set("waiting");
    this.timer = setTimeout(() => this.connect(), pause);
  }

  complete() {
    this.close();
    this.handlers.done();
  }

  /** Ends without the last text, and tells the reader. */
  giveUp() {
    this.handlers.problem("offline", "");
    this.complete();
  }

  check() {
    if (this.state === "live" && performance.now() - this.welcomed > STEADY) this.attempt = 0;
    const isAsking = this.state === "connecting" || this.state === "reconnecting";
    const isOwed = this.state === "live" && this.sent > this.acked + RATE / 2;
    const silence = performance.now() - this.heard;
    if ((isAsking || isOwed) && silence > PATIENCE) this.lost();
    // A slow server gets more time for the last text; one that cannot be reached gets a minute.
    else if (this.isFinishing && this.state === "live" && silence > 4 * PATIENCE) this.lost();
    else if (this.isFinishing && this.state !== "live" && performance.now() > this.deadline) this.giveUp();
  }

  set(state) {
    if (this.state === state) return;
    this.state = state;
    this.handlers.change();
  }

  // Messages from the server

  take(event) {
    this.heard = performance.now();
    if (event.type === "welcome") return this.begin(event);
    if (event.type === "ack") return this.acknowledge(event.position);
    if (event.type === "loading") return this.wait();
    if (event.sequence === undefined) return this.refuse(event);
    if (event.sequence <= this.last && event.type !== "snapshot") return;
    this.last = Math.max(this.last, event.sequence);
    this.moveCut(event);
    if (["partial", "final"].includes(event.type) && event.text) this.attempt = 0;
    if (event.type === "state" && ["finished", "cancelled", "failed"].includes(event.state)) this.isOver = true;
    const mended = this.seam.mend(event);
    this.seam.hear(mended);
    this.handlers.event(mended, this.base / RATE);
  }

  /** The server is loading its model, so it can be reached. */
  wait() { this.deadline = this.heard + LAST_WORDS_TIME; }

  begin(event) {
    const isNew = event.session !== this.session;
    const owed = [...this.owed.values()];
    this.owed.clear();
    if (isNew) {
      this.session = event.session;
      this.last = -1;
      this.isSpeech = this.isOpen = this.hasPartial = this.isLate = false;
      this.beginAt(Math.max(this.cut, this.ring.start));
    }
    this.acked = this.sent = this.base + event.position;
    this.welcomed = performance.now();
    this.problem = null;
    this.set("live");
    if (isNew) this.handlers.event({ type: "begin" }, this.base / RATE);
    for (const value of owed) this.say(value);
    this.push();
  }

  /** A replacement session begins with silence instead of audio that already has text, as after a pause. */
  beginAt(first) {
    if (first > this.cut) {
      this.handlers.gap((first - this.cut) / RATE, first >= this.sent);
      this.seam.forget();
    }
    this.firstSample = first;
    this.base = Math.max(this.ring.start, first - Math.round(LEAD * RATE));
    this.seam.begin((first - this.base) / RATE);
  }

  acknowledge(position) {
    this.acked = Math.max(this.acked, this.base + position);
    this.push();
  }

  refuse(event) {
    // The server closes the connection itself; the next session begins with the refused audio.
    if (event.code === "session_finished") return;
    this.problem = event;
    if (this.state === "live") this.handlers.problem(event.code, event.message);
  }

  /** Moves the start of a possible replacement session: between the last final word and the next, or into silence. */
  moveCut(event) {
    if (event.type === "speech") {
      this.isSpeech = event.speaking;
      this.isOpen ||= event.speaking;
    }
    // Speech that has ended may still be waiting for its text.
    if (["utterance_end", "skipped"].includes(event.type) && !this.isSpeech) this.isOpen = false;
    if (event.type === "partial") this.hasPartial = event.text !== "";
    if (event.type === "lag") this.isLate = event.lag > 0;
    if (event.type === "level" && !this.isOpen && !this.hasPartial && !this.isLate) {
      const silence = this.base + Math.round((event.position - SPEECH_DELAY) * RATE);
      if (silence > this.cut) {
        this.cut = silence;
        this.seam.forget();
      }
    }
    const finals = event.type === "final" ? [event] : event.type === "snapshot" ? (event.finals ?? []) : [];
    const last = finals.at(-1);
    if (last?.end === undefined) return;
    // No next word means a pause. Cutting earlier would leave the end of the last word, heard as another word.
    const next = event.partials?.[0]?.words?.[0]?.start ?? last.end + 2 * REST;
    const middle = last.end + Math.max(0, Math.min(REST, (next - last.end) / 2));
    this.cut = Math.max(this.cut, this.base + Math.round(middle * RATE));
  }
}
