import { isRefusal, openSocket, whyRefused } from "./access.js";
import { RATE } from "./ring.js";
import { REST, Seam } from "./seam.js";

const PATH = "v1/steno/live";
/** The most that waits in the socket, in bytes: four seconds. */
const MOST_WAITING = 4 * 2 * RATE;
const LONGEST_MESSAGE = RATE;
/** The pauses between attempts to connect, in milliseconds. */
const PAUSES = [250, 500, 1000, 2000, 3000];
/** A session that lasts for so long works, whether anything was said or not, in milliseconds. */
const STEADY = 10000;
/** A connection without any word of the server for so long is taken for lost, in milliseconds. */
const PATIENCE = 8000;
/** The last words of a server that cannot be reached are waited for so long, in milliseconds. */
const LAST_WORDS_TIME = 60000;
/** So many seconds of silence precede the audio of a session that takes over. */
const LEAD = 0.5;
/** Speech is reported so much later than it begins, in seconds, at most. */
const SPEECH_DELAY = 1.5;

/**
 * The connection to the server: sends the audio of a ring, and hands on every event once.
 *
 * A lost connection is continued: the server names the audio that it has, and sends the events that are missing. Where
 * the server has forgotten the session, as after its own end, a new one begins with the audio after the last final text,
 * so that nothing is lost or doubled. Times are those of the page: `base` is where the session began.
 */
export class Feed {
  /**
   * @param ring The audio.
   * @param options Gives the fields of the first message.
   * @param handlers `event(event, base)`, `change()` when the connection changes, `gap(seconds, isAll)` when audio was
   *   lost, with whether that is all of the audio without final text that a lost session had, `problem(code, message)`,
   *   `done()` when all text of a finished session is there.
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
    /** Attempts since a session last worked: a server that welcomes may fail at once, again and again. */
    this.attempt = 0;
    this.isFinishing = this.isOver = this.mustFinalize = false;
    /** What the session is to hear when it is connected again, by its type. */
    this.owed = new Map();
    this.seam = new Seam();
    this.isSpeech = this.isOpen = this.hasPartial = this.isLate = false;
    this.problem = null;
  }

  /** Seconds of audio that the server does not have yet. */
  get waiting() {
    return this.state === "closed" ? 0 : (this.ring.end - this.acked) / RATE;
  }

  start() {
    this.reset();
    this.watch = setInterval(() => this.check(), 1000);
    this.connect();
  }

  /** Sends what is new in the ring. */
  push() {
    if (this.state !== "live") return;
    // The server has had nothing to answer until now, as in a pause.
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

  /** The number of the first sample in the session, and the samples. */
  message(from, to) {
    const bytes = new ArrayBuffer(8 + 2 * (to - from));
    const view = new DataView(bytes);
    view.setBigUint64(0, BigInt(from - this.base), true);
    // The order of the bytes is that of the machine, which for every browser is the little-endian one.
    const samples = new Int16Array(bytes, 8);
    samples.set(this.ring.slice(from, to));
    if (from < this.firstSample) samples.fill(0, 0, this.firstSample - from);
    return bytes;
  }

  say(value) {
    if (this.state === "live") this.socket.send(JSON.stringify(value));
  }

  /** Says it now, or when the session is connected; the first message of a new one has every option as it is then. */
  owe(value) {
    if (this.state === "live") this.say(value);
    else this.owed.set(value.type, value);
  }

  /** Forgets the text, also that of audio which the server does not have yet. */
  clear() {
    // A session that takes over begins after it.
    this.cut = this.ring.end;
    this.seam.forget();
    this.owe({ type: "clear" });
  }

  /** Makes all text final, after the audio so far. */
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

  /** Ends at once. */
  close() {
    clearInterval(this.watch);
    clearTimeout(this.timer);
    this.drop();
    this.set("closed");
  }

  /** Tries again at once, as when the browser says that there is a network. */
  hurry() {
    if (this.state === "waiting") this.connect();
  }

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
      // A key with signs that browsers give to no socket. Not before whoever has called is done.
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

  /** A key that is wrong stays wrong; a server that does not answer may come back. */
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

  /** Forgets the socket, whose end may take the browser a minute to report. */
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

  /** The last words stay unread, which the reader has to know. */
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
    // A slow server may take its time for the last words; one that cannot be reached gets a minute.
    else if (this.isFinishing && this.state === "live" && silence > 4 * PATIENCE) this.lost();
    else if (this.isFinishing && this.state !== "live" && performance.now() > this.deadline) this.giveUp();
  }

  set(state) {
    if (this.state === state) return;
    this.state = state;
    this.handlers.change();
  }

  // What the server says

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

  /** The server has to load its model first: it can be reached. */
  wait() {
    this.deadline = this.heard + LAST_WORDS_TIME;
  }

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

  /** A session that takes over begins with silence in place of what was said already, as after a pause. */
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
    // The server ends the session by itself; the next one begins with what it did not hear.
    if (event.code === "session_finished") return;
    this.problem = event;
    if (this.state === "live") this.handlers.problem(event.code, event.message);
  }

  /** Where a new session would begin: after the last final word and before the next one, or in the last silence. */
  moveCut(event) {
    if (event.type === "speech") {
      this.isSpeech = event.speaking;
      this.isOpen ||= event.speaking;
    }
    // Speech that has ended may still wait to be transcribed.
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
    // Where no word is in sight there is a pause; the rest of the last word would be heard as another one.
    const next = event.partials?.[0]?.words?.[0]?.start ?? last.end + 2 * REST;
    const middle = last.end + Math.max(0, Math.min(REST, (next - last.end) / 2));
    this.cut = Math.max(this.cut, this.base + Math.round(middle * RATE));
  }
}
