// Generated from Captions/Page by Tools/ci/embed_captions.py.
// swift-format-ignore-file
#if Server
    extension PageFiles {
        static let scripts: [String: String] = [
            "js/access.js": #"""
                // The key of the server: given in the fragment of the address, which no server ever sees, and kept for this tab.

                const KEPT = "steno.key";

                /** What a browser that keeps nothing for pages would forget. */
                let given = "";

                /** Takes `#key=…` out of the address, so that a picture of the screen does not show it; returns all values. */
                export function readFragment() {
                  const values = new URLSearchParams(location.hash.slice(1));
                  const key = values.get("key");
                  if (key) {
                    setKey(key);
                    const others = new URLSearchParams(values);
                    others.delete("key");
                    const rest = others.toString();
                    history.replaceState(null, "", location.pathname + location.search + (rest ? "#" + rest : ""));
                  }
                  return values;
                }

                export function key() {
                  try {
                    return sessionStorage.getItem(KEPT) ?? given;
                  } catch {
                    return given;
                  }
                }

                export function setKey(value) {
                  given = value.trim();
                  try {
                    sessionStorage.setItem(KEPT, given);
                  } catch {
                    // Storage is full or forbidden: the key lasts as long as the page.
                  }
                }

                /** A socket to a path of the server; browsers can send a key as a subprotocol only. */
                export function openSocket(path) {
                  const address = new URL(path, document.baseURI);
                  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
                  address.hash = "";
                  const protocols = key() ? ["realtime", "openai-insecure-api-key." + key()] : ["realtime"];
                  return new WebSocket(address, protocols);
                }

                /**
                 * Whether the code with which the server closed a socket says that it would refuse the same again. It would not where
                 * its patience ended (4408), as with a device that slept before it said anything.
                 */
                export function isRefusal(code) {
                  return code >= 4000 && code < 4500 && code !== 4408;
                }

                /** A failed request, with the status and the server's words. */
                export class RequestError extends Error {
                  constructor(status, message, code) {
                    super(message);
                    this.status = status;
                    this.code = code;
                  }
                }

                /** Sends a request with the key; throws a `RequestError` for any answer that is not a success. */
                export async function request(path, options = {}) {
                  // A browser cannot send it, as with the quotation marks of a text: it is wrong, and the server is there.
                  if (/[^\x20-\x7e]/.test(key())) throw new RequestError(401, "", "invalid_api_key");
                  const headers = { ...(options.headers ?? {}) };
                  if (key()) headers.Authorization = "Bearer " + key();
                  const address = new URL(path, document.baseURI);
                  address.hash = "";
                  const response = await fetch(address, { ...options, headers }).catch(() => {
                    throw new RequestError(0, "", "offline");
                  });
                  if (response.ok) return response;
                  const body = await response.json().catch(() => ({}));
                  throw new RequestError(response.status, body.error?.message ?? response.statusText, body.error?.code);
                }

                /**
                 * Why the server refuses connections for good: a key that is wrong, or a name it does not go by; else null. It lets
                 * those without a key say what they want first.
                 */
                export async function whyRefused() {
                  try {
                    await request("v1/steno/captions");
                  } catch (error) {
                    if ((error.status === 401 && key()) || [403, 421].includes(error.status)) return error;
                  }
                  return null;
                }

                export async function requestJSON(path, options) {
                  return (await request(path, options)).json();
                }

                export function postJSON(path, value) {
                  const headers = { "Content-Type": "application/json" };
                  return requestJSON(path, { method: "POST", headers, body: JSON.stringify(value) });
                }

                """#,
            "js/announcer.js": #"""
                import { byId, make } from "./dom.js";
                import { speakerName } from "./i18n.js";
                import { settings } from "./settings.js";
                import { endsSentence } from "./transcript.js";

                /** So many sentences stay in a live region. */
                const KEPT = 12;

                /** Gives a screen reader the final text, a sentence at a time; volatile text never gets here. */
                export class Announcer {
                  constructor() {
                    this.clear();
                  }

                  clear() {
                    this.pending = "";
                    this.speaker = null;
                  }

                  take(segments, hasEnded) {
                    for (const segment of segments) {
                      if (segment.speaker && segment.speaker !== this.speaker) {
                        this.say();
                        this.speaker = segment.speaker;
                        this.pending = `${speakerName(segment.speaker)}: `;
                      }
                      this.pending += segment.text;
                      if (endsSentence(this.pending)) this.say();
                    }
                    if (hasEnded) this.say();
                  }

                  say() {
                    const text = this.pending.trim();
                    this.pending = "";
                    if (!text || !settings.announce) return;
                    add("log", text);
                  }
                }

                let state = "";

                /** Announces the state where it has changed, so that it does not take the place of something that has happened. */
                export function announceState(text) {
                  if (text === state) return;
                  state = text;
                  announce(text);
                }

                /** Announces something that has happened: the same again is announced again, and what comes at once takes no place. */
                export function announce(text) {
                  add("announce", text);
                }

                function add(id, text) {
                  const region = byId(id);
                  region.append(make("p", { text }));
                  while (region.children.length > KEPT) region.firstElementChild.remove();
                }

                """#,
            "js/attention.js": #"""
                import { announce } from "./announcer.js";
                import { byId } from "./dom.js";
                import { t } from "./i18n.js";
                import { settings } from "./settings.js";

                /** Louder than the background by so many decibels counts as something to hear. */
                const LOUD = 15;
                const LOUDEST_BACKGROUND = -50;
                /** Something that is no speech is reported after so many blocks of 50 ms: speech is recognised sooner. */
                const BLOCKS = 28;
                /** A pause after which new speech can be announced, in milliseconds. */
                const PAUSE = 20000;

                function plainText(text) {
                  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
                }

                /** How often any of the names is in a text, as whole words, in any case and with or without accents. */
                export function countNames(names, text) {
                  const words = names.map((name) => plainText(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter(Boolean);
                  if (words.length === 0) return 0;
                  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "gu");
                  return plainText(text).match(pattern)?.length ?? 0;
                }

                /** Draws the reader's attention: the name was called, somebody speaks after a pause, there is noise. */
                export class Attention {
                  constructor(captioner) {
                    this.captioner = captioner;
                    this.reset();
                    captioner.addEventListener("text", ({ detail }) => this.watchNames(detail.added));
                    captioner.addEventListener("event", ({ detail }) => this.watchSpeech(detail));
                    captioner.addEventListener("level", () => this.watchNoise());
                    captioner.addEventListener("cleared", () => this.reset());
                    captioner.addEventListener("change", () => {
                      if (captioner.phase !== "listening") this.setNoise(false);
                    });
                  }

                  reset() {
                    this.finals = this.seen = 0;
                    this.floor = 0;
                    this.loud = 0;
                    this.silentSince = performance.now();
                  }

                  watchNames(added) {
                    if (settings.names.length === 0) return;
                    for (const segment of added) this.finals += countNames(settings.names, segment.text);
                    const all = this.finals + countNames(settings.names, this.captioner.transcript.partial);
                    if (all > this.seen) this.alert(t("banner.name"));
                    // A name that volatile text has had once counts until the text is final: it may go and come back.
                    this.seen = added.length > 0 ? all : Math.max(this.seen, all);
                  }

                  watchSpeech(event) {
                    if (event.type !== "speech") return;
                    const now = performance.now();
                    if (event.speaking && settings.alertSpeech && now - this.silentSince > PAUSE) this.alert(t("banner.speech"));
                    this.silentSince = event.speaking ? Infinity : now;
                  }

                  watchNoise() {
                    const { level, isSpeech, isHeld, transcript, feed, phase } = this.captioner;
                    this.floor = Math.min(level.rms, this.floor + 0.02);
                    const isLoud = level.rms > Math.max(this.floor + LOUD, LOUDEST_BACKGROUND);
                    // Nor is it said of the page's own voice.
                    const canKnow = phase === "listening" && !isHeld && feed.state === "live" && !isSpeech && transcript.partial === "";
                    this.loud = canKnow ? Math.max(0, Math.min(2 * BLOCKS, this.loud + (isLoud ? 1 : -1))) : 0;
                    if (this.loud >= BLOCKS) this.setNoise(settings.noise);
                    else if (this.loud === 0) this.setNoise(false);
                  }

                  setNoise(isOn) {
                    if (byId("banner-noise").hidden !== isOn) return;
                    byId("banner-noise").hidden = !isOn;
                    if (isOn) announce(t("banner.noise"));
                  }

                  /** A banner, two flashes at the edge, and a vibration. */
                  alert(text) {
                    byId("banner-name-text").textContent = text;
                    announce(text);
                    byId("banner-name").hidden = false;
                    byId("glow").hidden = false;
                    if (settings.vibrate) navigator.vibrate?.([250, 120, 250]);
                    clearTimeout(this.glowTimer);
                    clearTimeout(this.bannerTimer);
                    this.glowTimer = setTimeout(() => (byId("glow").hidden = true), 2000);
                    this.bannerTimer = setTimeout(() => (byId("banner-name").hidden = true), 8000);
                  }
                }

                """#,
            "js/autosave.js": #"""
                // Keeps the text of this tab through a reload; it goes with the tab.

                const KEPT = "steno.text.";
                /** Segments of a piece: only the last piece is written again. */
                const PIECE = 40;

                /** Saves what is new. */
                export class Autosave {
                  constructor(transcript) {
                    this.transcript = transcript;
                    this.saved = 0;
                  }

                  restore() {
                    try {
                      for (let piece = 0; ; piece++) {
                        const text = sessionStorage.getItem(KEPT + piece);
                        if (!text) break;
                        for (const [start, end, words, isBreak, speaker, missing] of JSON.parse(text)) {
                          if (isBreak) this.transcript.breakHere();
                          if (missing) this.transcript.loseHere(missing);
                          this.transcript.add({ start, end, text: words, speaker });
                        }
                      }
                    } catch {
                      this.clear();
                    }
                    this.transcript.breakHere();
                    this.saved = this.transcript.segments.length;
                  }

                  /** @param last What is added to the final text: text that will not become final any more. */
                  save(last = []) {
                    const segments = [...this.transcript.segments, ...last];
                    for (let piece = Math.floor(Math.max(0, this.saved - 1) / PIECE); piece * PIECE < segments.length; piece++) {
                      const part = segments.slice(piece * PIECE, (piece + 1) * PIECE);
                      const rows = part.map(({ start, end, text, isBreak, speaker, missing }) => {
                        return [start, end, text, isBreak ? 1 : 0, speaker, missing];
                      });
                      try {
                        sessionStorage.setItem(KEPT + piece, JSON.stringify(rows));
                      } catch {
                        return;
                      }
                    }
                    this.saved = this.transcript.segments.length;
                  }

                  /** Before the page goes: the volatile text is kept as it is. */
                  saveAll() {
                    const { partial, partialStart, partialIsNewParagraph: isBreak, missing, end } = this.transcript;
                    const start = partialStart ?? end;
                    this.save(partial ? [{ start, end: Math.max(start, end) + 1, text: partial, isBreak, missing }] : []);
                  }

                  /** All is written with the next text, since some of it has changed. */
                  forget() {
                    this.saved = 0;
                  }

                  clear() {
                    this.saved = 0;
                    try {
                      for (const name of Object.keys(sessionStorage)) {
                        if (name.startsWith(KEPT)) sessionStorage.removeItem(name);
                      }
                    } catch {
                      // Where storage is forbidden nothing was kept.
                    }
                  }
                }

                """#,
            "js/awake.js": #"""
                // Keeps the screen on while captions are shown (Screen Wake Lock API).

                let lock = null;
                /** Who wants it to stay on. */
                const holders = new Set();
                let isAsking = false;

                async function acquire() {
                  if (holders.size === 0 || lock || isAsking || document.visibilityState !== "visible") return;
                  isAsking = true;
                  try {
                    const own = await navigator.wakeLock?.request("screen");
                    lock = own ?? null;
                    // The end of one lock may be reported when there is another one.
                    own?.addEventListener("release", () => (lock = lock === own ? null : lock));
                    if (holders.size === 0) release();
                  } catch {
                    lock = null;
                  } finally {
                    isAsking = false;
                  }
                }

                function release() {
                  lock?.release();
                  lock = null;
                }

                /** @param holder Whoever wants it, or not any more. */
                export function keepAwake(holder, isWanted) {
                  if (isWanted === holders.has(holder)) return;
                  if (isWanted) holders.add(holder);
                  else holders.delete(holder);
                  if (holders.size > 0) acquire();
                  else release();
                }

                // The system takes the lock away while the page is hidden.
                document.addEventListener("visibilitychange", acquire);

                """#,
            "js/captioner.js": #"""
                import { Feed } from "./feed.js";
                import { Level } from "./level.js";
                import { Microphone } from "./microphone.js";
                import { AudioRing } from "./ring.js";
                import { Transcript } from "./transcript.js";

                /** A pause of so long frees the server's place for others, in milliseconds. */
                const LONGEST_PAUSE = 600000;

                /**
                 * Microphone, connection and transcript of one listening page.
                 *
                 * Events: `text` (detail: the new final segments), `change` (the state), `level`, `event` (of the server), `gap`,
                 * `relabelled` (other speakers for text that is there), `cleared`, `problem`.
                 */
                export class Captioner extends EventTarget {
                  /** @param settings Gives `language`, `device`, `names`, `save`, `speakers` and `screen` when they are needed. */
                  constructor(settings) {
                    super();
                    this.settings = settings;
                    this.transcript = new Transcript();
                    this.ring = new AudioRing();
                    this.phase = "idle";
                    this.lag = 0;
                    this.level = new Level();
                    this.isSpeech = false;
                    this.isHeld = false;
                    /** Whether the server keeps the session, or would keep the next one, where it keeps any. */
                    this.isKept = Boolean(settings.save);
                    this.microphone = new Microphone({ block: (block) => this.hear(block), ended: () => this.loseDevice() });
                    this.feed = new Feed(this.ring, () => this.options(), {
                      event: (event, base) => this.take(event, base),
                      change: () => this.changed(),
                      gap: (seconds, isAll) => this.lose(seconds, isAll),
                      problem: (code, message) => this.fail(code, message),
                      done: () => this.end(),
                    });
                    addEventListener("online", () => this.feed.hurry());
                    addEventListener("pagehide", () => this.feed.say({ type: "finish" }));
                  }

                  options() {
                    const { language, names, save, screen, speakers } = this.settings;
                    const options = {};
                    this.isKept = Boolean(save);
                    if (language) options.language = language;
                    if (names.length > 0) options.hotwords = names.join(", ");
                    if (save) options.save = true;
                    if (speakers) options.speakers = true;
                    if (screen) options.screen = screen;
                    return options;
                  }

                  // What the reader does

                  async start() {
                    if (this.phase === "paused") return this.resume();
                    if (this.phase !== "idle") return;
                    this.set("starting");
                    try {
                      await this.microphone.open(this.settings.device);
                    } catch (error) {
                      // Whoever pressed Stop in the meantime has closed it.
                      if (error.name === "Closed") return;
                      this.microphone.close();
                      this.set("idle");
                      return this.fail(error.name);
                    }
                    this.level.begin();
                    this.lag = 0;
                    this.feed.start();
                    this.set("listening");
                  }

                  stop() {
                    if (this.phase === "idle" || this.phase === "finishing") return;
                    this.microphone.close();
                    this.set("finishing");
                    if (this.feed.state === "closed") this.end();
                    else this.feed.finish();
                  }

                  pause() {
                    if (this.phase !== "listening") return;
                    this.set("paused");
                    this.feed.finalize();
                    this.pauseTimer = setTimeout(() => this.stop(), LONGEST_PAUSE);
                  }

                  resume() {
                    if (this.phase !== "paused") return;
                    this.level.begin();
                    this.set("listening");
                  }

                  clear() {
                    this.forget();
                    this.feed.clear();
                  }

                  forget() {
                    this.transcript.clear();
                    this.dispatchEvent(new CustomEvent("cleared"));
                    this.changed();
                  }

                  /** Settings of the running session, such as another language. */
                  update() {
                    const { language, names, save } = this.settings;
                    const hotwords = names.length > 0 ? names.join(", ") : null;
                    // What was said while nothing was to be kept stays out of the history: only another session can be kept again.
                    this.isKept = Boolean(save) && (this.isKept || this.phase === "idle");
                    this.feed.owe({ type: "update", language: language || null, hotwords, save: this.isKept });
                    this.changed();
                  }

                  /** Another microphone, without a break in the text. */
                  async change() {
                    if (this.phase !== "listening" && this.phase !== "paused") return;
                    try {
                      await this.microphone.open(this.settings.device);
                    } catch (error) {
                      if (error.name === "Closed") return;
                      this.fail(error.name);
                      this.stop();
                    }
                  }

                  // What happens

                  hear(block) {
                    const hadSignal = this.hasSignal;
                    this.level.take(block);
                    if (this.phase === "listening" && !this.isHeld) {
                      this.ring.append(block.samples);
                      this.feed.push();
                    }
                    if (hadSignal !== this.hasSignal) this.changed();
                    this.dispatchEvent(new CustomEvent("level"));
                  }

                  get hasSignal() {
                    return this.level.hasSignal;
                  }

                  /** Seconds that the text is behind the audio. */
                  get behind() {
                    return Math.max(this.lag, this.feed.waiting);
                  }

                  take(event, base) {
                    // What was said before it and came since.
                    if (event.type === "cleared") return this.forget();
                    if (event.type === "lag") this.lag = event.lag;
                    if (event.type === "begin") {
                      this.lag = 0;
                      this.isSpeech = false;
                    }
                    if (event.type === "error") this.fail(event.code ?? "", event.message);
                    if (event.type === "speech") this.isSpeech = event.speaking;
                    const added = this.transcript.apply(event, base);
                    this.dispatchEvent(new CustomEvent("event", { detail: event }));
                    if (["final", "partial", "snapshot", "begin", "utterance_end"].includes(event.type)) {
                      this.dispatchEvent(new CustomEvent("text", { detail: { added, ended: event.type === "utterance_end" } }));
                    }
                    if (event.type === "speakers") this.dispatchEvent(new CustomEvent("relabelled"));
                    if (event.type === "lag") this.changed();
                  }

                  /** @param isAll Whether the audio of the volatile text is missing, too, which comes no more then. */
                  lose(seconds, isAll) {
                    if (isAll) this.settle();
                    this.transcript.loseHere(seconds);
                    this.dispatchEvent(new CustomEvent("gap", { detail: seconds }));
                  }

                  loseDevice() {
                    this.fail("ended");
                    this.stop();
                  }

                  fail(code, message = "") {
                    if (code === "history_failed") this.isKept = false;
                    this.dispatchEvent(new CustomEvent("problem", { detail: { code, message } }));
                    if (this.feed.state === "closed" && this.phase !== "starting" && this.phase !== "idle") {
                      this.microphone.close();
                      this.end();
                    }
                  }

                  end() {
                    this.isSpeech = false;
                    this.settle();
                    this.transcript.breakHere();
                    this.set("idle");
                  }

                  /** No final text follows any more, as where the server was not there: what could be read stays. */
                  settle() {
                    const added = this.transcript.settle();
                    this.dispatchEvent(new CustomEvent("text", { detail: { added, ended: true } }));
                  }

                  set(phase) {
                    if (phase !== "paused") clearTimeout(this.pauseTimer);
                    this.phase = phase;
                    this.changed();
                  }

                  changed() {
                    this.dispatchEvent(new CustomEvent("change"));
                  }
                }

                """#,
            "js/captions-view.js": #"""
                import { announce, announceState, Announcer } from "./announcer.js";
                import { Autosave } from "./autosave.js";
                import { keepAwake } from "./awake.js";
                import { confirm, open, toggleFullScreen } from "./dialogs.js";
                import { byId, download, toast } from "./dom.js";
                import { exportText, fileName, TYPES } from "./export.js";
                import { Follow } from "./follow.js";
                import { speakerName, t } from "./i18n.js";
                import { gapText, Lines } from "./lines.js";
                import { RATE } from "./ring.js";
                import { resize } from "./settings.js";
                import { describe, problemText } from "./status.js";

                /** The main view: captions, their state, and what can be done with them. */
                export class CaptionsView {
                  constructor(captioner) {
                    this.captioner = captioner;
                    this.transcript = captioner.transcript;
                    this.lines = new Lines(byId("lines"), this.transcript);
                    this.follow = new Follow(byId("transcript"), (isOn) => (byId("to-live").hidden = isOn));
                    this.announcer = new Announcer();
                    this.autosave = new Autosave(this.transcript);
                    this.autosave.restore();
                    // Times continue after the text that was kept.
                    if (!this.transcript.isEmpty) captioner.ring.end = Math.ceil(this.transcript.end + 1) * RATE;
                    this.listen();
                    this.connectButtons();
                    setInterval(() => this.tick(), 500);
                    addEventListener("localechange", () => {
                      this.lines.again();
                      this.showState();
                    });
                    this.render();
                    this.showState();
                  }

                  listen() {
                    const { captioner } = this;
                    captioner.addEventListener("change", () => this.showState());
                    captioner.addEventListener("text", ({ detail }) => {
                      this.announcer.take(detail.added, detail.ended);
                      this.renderSoon();
                      if (detail.added.length > 0) this.autosave.save();
                    });
                    captioner.addEventListener("cleared", () => {
                      this.autosave.clear();
                      this.announcer.clear();
                      this.lines.reset();
                      this.follow.resume();
                      this.renderSoon();
                    });
                    captioner.addEventListener("relabelled", () => {
                      this.lines.again();
                      this.renderSoon();
                      this.autosave.forget();
                      this.autosave.save();
                    });
                    addEventListener("pagehide", () => this.autosave.saveAll());
                    // A page that comes back has a session that is over; its text is kept.
                    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
                    captioner.addEventListener("gap", ({ detail }) => {
                      announce(gapText(detail));
                      this.renderSoon();
                    });
                    captioner.addEventListener("level", () => this.showLevel());
                    captioner.addEventListener("problem", ({ detail }) => this.showProblem(detail));
                  }

                  connectButtons() {
                    const { captioner } = this;
                    const actions = {
                      start: () => (captioner.phase === "idle" ? this.start() : captioner.stop()),
                      pause: () => (captioner.phase === "paused" ? captioner.resume() : captioner.pause()),
                      smaller: () => resize(-1),
                      larger: () => resize(1),
                      copy: () => this.copy(),
                      save: () => this.save(),
                      clear: () => this.clear(),
                      full: () => toggleFullScreen(),
                      "to-live": () => {
                        this.follow.resume();
                        byId("transcript").focus();
                      },
                      earlier: () => this.showEarlier(),
                      "banner-trouble-close": () => {
                        this.hideProblem();
                        byId("start").focus();
                      },
                    };
                    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
                  }

                  start() {
                    this.follow.resume();
                    return this.captioner.start();
                  }

                  // Text

                  renderSoon() {
                    if (this.frame) return;
                    this.frame = requestAnimationFrame(() => {
                      this.frame = null;
                      this.render();
                    });
                  }

                  render() {
                    this.lines.render(this.follow.isOn);
                    byId("welcome").hidden = !this.transcript.isEmpty || this.captioner.phase !== "idle";
                    byId("earlier").hidden = !this.lines.hasEarlier;
                    for (const id of ["copy", "save", "clear"]) byId(id).disabled = this.transcript.isEmpty;
                    this.follow.keep();
                  }

                  showEarlier() {
                    const place = byId("transcript");
                    const below = place.scrollHeight - place.scrollTop;
                    this.follow.set(false);
                    this.lines.showEarlier();
                    byId("earlier").hidden = !this.lines.hasEarlier;
                    place.scrollTop = place.scrollHeight - below;
                  }

                  async copy() {
                    try {
                      await navigator.clipboard.writeText(this.transcript.text(speakerName));
                      toast(t("copied"));
                    } catch {
                      toast(t("copy.failed"));
                    }
                  }

                  async save() {
                    const format = await open("export");
                    if (format in TYPES) download(fileName(format), TYPES[format], exportText(this.transcript, format));
                  }

                  async clear() {
                    if (await confirm(t("clear.question"), t("clear"))) this.captioner.clear();
                  }

                  // State

                  tick() {
                    if (this.captioner.phase !== "idle") this.showState();
                  }

                  showState() {
                    const { phase } = this.captioner;
                    const { lamp, text, announced } = describe(this.captioner);
                    byId("lamp").dataset.state = lamp;
                    setText("state", text);
                    announceState(announced);
                    const isOn = phase !== "idle";
                    // It is tried again, from whichever view.
                    if (phase === "starting") this.hideProblem();
                    // The server had no room, and has some now.
                    if (this.problem === "busy" && this.captioner.feed.state === "live") this.hideProblem();
                    setText("start-text", isOn ? t("stop") : t("start"));
                    byId("start-icon").setAttribute("href", `captions/icons.svg#${isOn ? "stop" : "microphone"}`);
                    byId("start").disabled = phase === "finishing" || phase === "starting";
                    setText("pause-text", phase === "paused" ? t("resume") : t("pause"));
                    byId("pause-icon").setAttribute("href", `captions/icons.svg#${phase === "paused" ? "play" : "pause"}`);
                    byId("pause").disabled = phase !== "listening" && phase !== "paused";
                    setText("kept", this.kept());
                    if (!isOn) this.showLevel();
                    keepAwake(this, phase === "listening");
                    this.renderSoon();
                  }

                  kept() {
                    if (!this.hasHistory) return "";
                    return this.captioner.isKept ? t("kept.yes") : t("kept.no");
                  }

                  showLevel() {
                    this.captioner.level.show(byId("meter-fill"), this.captioner.phase !== "idle");
                  }

                  showProblem(detail) {
                    this.problem = detail.code;
                    setText("banner-trouble-text", problemText(detail));
                    byId("banner-trouble").hidden = false;
                    // The banner is not in the other views.
                    if (byId("view-captions").hidden) toast(problemText(detail));
                  }

                  hideProblem() {
                    this.problem = null;
                    byId("banner-trouble").hidden = true;
                  }
                }

                function setText(id, text) {
                  if (byId(id).textContent !== text) byId(id).textContent = text;
                }

                """#,
            "js/dialogs.js": #"""
                import { byId } from "./dom.js";

                /** The dialogs that are open, the one on top last. */
                const opened = [];

                /** Opens a dialog; returns the value of the button that closed it. */
                export function open(id) {
                  const dialog = byId(id);
                  dialog.returnValue = "";
                  dialog.showModal();
                  opened.push(dialog);
                  moveMessages();
                  return new Promise((resolve) => {
                    const close = () => {
                      opened.splice(opened.indexOf(dialog), 1);
                      moveMessages();
                      resolve(dialog.returnValue);
                    };
                    dialog.addEventListener("close", close, { once: true });
                  });
                }

                /** What is outside of a modal dialog is behind it, and silent for a screen reader: the messages go where they are read. */
                function moveMessages() {
                  // What was announced is not announced again in another place.
                  for (const id of ["log", "announce"]) byId(id).replaceChildren();
                  (opened.at(-1) ?? document.body).append(byId("messages"));
                }

                /** Asks before something that cannot be taken back. */
                export async function confirm(question, answer) {
                  byId("ask-text").textContent = question;
                  byId("ask-yes").textContent = answer;
                  return (await open("ask")) === "yes";
                }

                /** Full screen on or off. */
                export function toggleFullScreen(element = document.documentElement) {
                  // Telephones of Apple have it for films alone.
                  if (!document.fullscreenEnabled) fill(element, !element.classList.contains("fills"));
                  else if (document.fullscreenElement) document.exitFullscreen();
                  else element.requestFullscreen({ navigationUI: "hide" }).catch(() => fill(element, true));
                }

                /** The whole page for an element, or not any more, as with Escape. */
                function fill(element, isOn) {
                  element.classList.toggle("fills", isOn);
                  if (isOn) document.addEventListener("keydown", leave);
                  else document.removeEventListener("keydown", leave);
                }

                function leave(event) {
                  if (event.key !== "Escape" || opened.length > 0) return;
                  for (const element of document.querySelectorAll(".fills")) fill(element, false);
                }

                """#,
            "js/dom.js": #"""
                /** The element of an id. */
                export function byId(id) {
                  return document.getElementById(id);
                }

                /** Makes an element with properties (`class`, `text`, `on…` and attributes) and children. */
                export function make(name, properties = {}, ...children) {
                  const element = document.createElement(name);
                  for (const [key, value] of Object.entries(properties)) {
                    if (key === "text") element.textContent = value;
                    else if (key === "class") element.className = value;
                    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
                    else if (value === true) element.setAttribute(key, "");
                    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
                  }
                  element.append(...children);
                  return element;
                }

                /** Offers a file for saving. */
                export function download(name, type, content) {
                  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
                  link.click();
                  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
                }

                let toastTimer;

                /** Shows a short message, which a screen reader announces, too. */
                export function toast(text) {
                  const place = byId("toast");
                  place.textContent = text;
                  clearTimeout(toastTimer);
                  toastTimer = setTimeout(() => (place.textContent = ""), 4000);
                }

                """#,
            "js/export.js": #"""
                // A transcript as a file.

                import { speakerName } from "./i18n.js";
                import { endsSentence } from "./transcript.js";

                /** The longest cue, in characters and seconds. */
                const CUE = { characters: 80, seconds: 6, pause: 1 };

                function cues(segments) {
                  const result = [];
                  for (const segment of segments) {
                    const last = result.at(-1);
                    const fits = last && last.text.length + segment.text.length <= CUE.characters
                      && segment.end - last.start <= CUE.seconds && segment.start - last.end <= CUE.pause && !endsSentence(last.text)
                      && segment.speaker === last.speaker;
                    if (fits) {
                      last.text += segment.text;
                      last.end = segment.end;
                    } else result.push({ ...segment, text: segment.text.trimStart() });
                  }
                  return result;
                }

                function time(seconds, point) {
                  const total = Math.round(seconds * 1000);
                  const two = (value) => String(value).padStart(2, "0");
                  const [hours, minutes] = [Math.floor(total / 3600000), Math.floor(total / 60000) % 60];
                  const rest = `${two(Math.floor(total / 1000) % 60)}${point}${String(total % 1000).padStart(3, "0")}`;
                  return `${two(hours)}:${two(minutes)}:${rest}`;
                }

                function srt(segments) {
                  return cues(segments).map(({ start, end, text, speaker }, index, all) => {
                    const label = speaker && speaker !== all[index - 1]?.speaker ? `${speakerName(speaker)}: ` : "";
                    return `${index + 1}\n${time(start, ",")} --> ${time(end, ",")}\n${label}${text.trim()}\n`;
                  }).join("\n");
                }

                /** Text as WebVTT has it. */
                function escaped(text) {
                  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
                }

                function vtt(segments) {
                  return "WEBVTT\n\n" + cues(segments).map(({ start, end, text, speaker }) => {
                    const voice = speaker ? `<v ${escaped(speakerName(speaker))}>` : "";
                    return `${time(start, ".")} --> ${time(end, ".")}\n${voice}${escaped(text.trim())}\n`;
                  }).join("\n");
                }

                /** The types of the files. */
                export const TYPES = { txt: "text/plain", srt: "application/x-subrip", vtt: "text/vtt", json: "application/json" };

                /** The text of a transcript in a format. */
                export function exportText(transcript, format) {
                  switch (format) {
                    case "srt":
                      return srt(transcript.segments);
                    case "vtt":
                      return vtt(transcript.segments);
                    case "json": {
                      const segments = transcript.segments.map(({ start, end, text, speaker }) => {
                        return speaker ? { start, end, text, speaker } : { start, end, text };
                      });
                      return JSON.stringify({ text: transcript.text(speakerName), segments }, null, 2) + "\n";
                    }
                    default:
                      return transcript.text(speakerName) + "\n";
                  }
                }

                /** A name with the time, for a file. */
                export function fileName(format, date = new Date()) {
                  const local = new Date(date - date.getTimezoneOffset() * 60000).toISOString();
                  return `steno-${local.slice(0, 16).replace("T", "-").replace(":", "")}.${format}`;
                }

                """#,
            "js/face-view.js": #"""
                import { toggleFullScreen } from "./dialogs.js";
                import { byId } from "./dom.js";
                import { keepFitting } from "./fit.js";
                import { Follow } from "./follow.js";
                import { t } from "./i18n.js";
                import { Lines } from "./lines.js";
                import { say } from "./say.js";
                import { describe } from "./status.js";

                /** Two people, one device between them: what I write stands turned round for the other, what they say faces me. */
                export class FaceView {
                  constructor(captioner, hold) {
                    this.captioner = captioner;
                    this.lines = new Lines(byId("face-lines"), captioner.transcript);
                    this.follow = new Follow(byId("face-mine"), () => {});
                    this.fit = keepFitting(byId("face-other-text"));
                    byId("face-write").addEventListener("input", () => this.show());
                    byId("face-say").addEventListener("click", () => say(byId("face-write").value, hold));
                    byId("face-start").addEventListener("click", () => {
                      if (captioner.phase === "idle") captioner.start();
                      else captioner.stop();
                    });
                    byId("face-full").addEventListener("click", () => toggleFullScreen());
                    captioner.addEventListener("text", () => this.render());
                    captioner.addEventListener("cleared", () => {
                      this.lines.reset();
                      this.render();
                    });
                    captioner.addEventListener("relabelled", () => {
                      this.lines.again();
                      this.render();
                    });
                    captioner.addEventListener("gap", () => this.render());
                    captioner.addEventListener("change", () => this.showState());
                    addEventListener("localechange", () => {
                      this.lines.again();
                      this.show();
                      this.showState();
                    });
                    // Seconds that pass are part of the state.
                    setInterval(() => this.showState(), 1000);
                    this.show();
                    this.showState();
                  }

                  get isShown() {
                    return !byId("view-face").hidden;
                  }

                  /** The view has come into sight. */
                  open() {
                    this.showState();
                    this.fit();
                  }

                  render() {
                    if (!this.isShown) return;
                    this.lines.render(this.follow.isOn);
                    this.follow.keep();
                  }

                  show() {
                    byId("face-other-text").textContent = byId("face-write").value || t("face.empty");
                    this.fit();
                  }

                  showState() {
                    if (!this.isShown) return;
                    const isOn = this.captioner.phase !== "idle";
                    const { text } = describe(this.captioner);
                    if (byId("face-state").textContent !== text) byId("face-state").textContent = text;
                    byId("face-start").disabled = ["starting", "finishing"].includes(this.captioner.phase);
                    byId("face-start-text").textContent = isOn ? t("stop") : t("start");
                    byId("face-start-icon").setAttribute("href", `captions/icons.svg#${isOn ? "stop" : "microphone"}`);
                    this.render();
                  }
                }

                """#,
            "js/feed.js": #"""
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

                """#,
            "js/fit.js": #"""
                /** Makes the letters of an element as large as its parent allows, words unbroken. */
                export function fit(element, largest = 400) {
                  const parent = element.parentElement;
                  const style = getComputedStyle(parent);
                  const width = parent.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                  const height = parent.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
                  if (width <= 0 || height <= 0) return;
                  element.style.overflowWrap = "normal";
                  let [low, high] = [16, largest];
                  while (high - low > 1) {
                    const middle = (low + high) / 2;
                    element.style.fontSize = `${middle}px`;
                    if (element.scrollWidth <= width + 1 && element.scrollHeight <= height + 1) low = middle;
                    else high = middle;
                  }
                  element.style.fontSize = `${Math.floor(low)}px`;
                  element.style.overflowWrap = "";
                }

                /** Fits now, and whenever the parent changes its size. */
                export function keepFitting(element) {
                  new ResizeObserver(() => fit(element)).observe(element.parentElement);
                  return () => fit(element);
                }

                """#,
            "js/follow.js": #"""
                /** Keeps the end of a scrolling element in view until the reader scrolls away from it. */
                export class Follow {
                  /** @param onChange Called when following begins or ends. */
                  constructor(element, onChange) {
                    this.element = element;
                    this.onChange = onChange;
                    this.isOn = true;
                    this.own = 0;
                    element.addEventListener("scroll", () => this.scrolled(), { passive: true });
                    new ResizeObserver(() => this.keep()).observe(element);
                  }

                  get isAtEnd() {
                    const { scrollHeight, scrollTop, clientHeight } = this.element;
                    return scrollHeight - scrollTop - clientHeight < 24;
                  }

                  scrolled() {
                    // An event of our own scrolling may come when there is more text already.
                    if (this.isOn && Math.abs(this.element.scrollTop - this.own) < 2) return;
                    this.set(this.isAtEnd);
                  }

                  /** Shows the end, if it is being followed. */
                  keep() {
                    if (!this.isOn) return;
                    this.element.scrollTop = this.element.scrollHeight;
                    this.own = this.element.scrollTop;
                  }

                  /** Back to the end. */
                  resume() {
                    this.set(true);
                    this.keep();
                  }

                  set(isOn) {
                    if (isOn === this.isOn) return;
                    this.isOn = isOn;
                    this.onChange(isOn);
                  }
                }

                """#,
            "js/history-view.js": #"""
                import { postJSON, request, requestJSON } from "./access.js";
                import { confirm } from "./dialogs.js";
                import { byId, download, make, toast } from "./dom.js";
                import { TYPES } from "./export.js";
                import { clock, date, t } from "./i18n.js";
                import { Player } from "./player.js";
                import { problemText } from "./status.js";

                const PATH = "v1/steno/history";

                /** What the server has kept: a list, a search, and a session to read, hear and edit. */
                export class HistoryView {
                  constructor() {
                    let timer;
                    byId("history-search").addEventListener("input", () => {
                      clearTimeout(timer);
                      timer = setTimeout(() => this.list(), 250);
                    });
                    addEventListener("localechange", () => {
                      if (!byId("view-history").hidden) this.list();
                    });
                  }

                  open() {
                    this.list();
                  }

                  async list() {
                    const query = byId("history-search").value.trim();
                    const own = this.listing = {};
                    try {
                      const path = query ? `${PATH}/search?q=${encodeURIComponent(query)}` : PATH;
                      const answer = await requestJSON(path);
                      // An answer that was overtaken by a later one.
                      if (own !== this.listing) return;
                      const rows = query ? answer.hits.map((hit) => this.hit(hit)) : answer.sessions.map((session) => this.row(session));
                      byId("history-list").replaceChildren(...rows);
                      byId("history-empty").hidden = rows.length > 0;
                      byId("history-empty").textContent = query ? t("history.none") : t("history.empty");
                    } catch (error) {
                      toast(problemText(error));
                    }
                  }

                  row(session) {
                    const about = `${date(session.start)} · ${clock(session.duration)}`;
                    return this.item(session.id, session.title || t("history.untitled"), make("span", { class: "fine", text: about }));
                  }

                  hit(hit) {
                    const excerpt = make("span", { class: "fine", dir: "auto" });
                    for (const part of hit.excerpt) excerpt.append(part.isMatch ? make("mark", { text: part.text }) : part.text);
                    return this.item(hit.session, hit.title || t("history.untitled"), excerpt, hit.segment);
                  }

                  item(id, title, about, segment) {
                    const current = id === this.shown ? "true" : undefined;
                    const button = make("button", { "aria-current": current, onclick: () => this.show(id, segment) },
                      make("strong", { dir: "auto", text: title }), about);
                    button.dataset.session = id;
                    return make("li", {}, button);
                  }

                  /** Shows a session, at a segment that was found. */
                  async show(id, segment) {
                    this.shown = id;
                    // Whatever is still coming of the one before would keep the next one waiting.
                    this.reading?.abort();
                    const { signal } = (this.reading = new AbortController());
                    for (const button of byId("history-list").querySelectorAll("button")) {
                      if (button.dataset.session === id) button.setAttribute("aria-current", "true");
                      else button.removeAttribute("aria-current");
                    }
                    try {
                      const session = await requestJSON(`${PATH}/${id}`, { signal });
                      this.player?.close();
                      this.player = new Player(session.segments, {
                        onEdit: (segment, text) => this.rewrite(id, segment, text),
                        fetch: session.hasAudio ? () => this.audio(id, signal) : null,
                      });
                      byId("history-session").replaceChildren(...this.article(session), this.player.element);
                      if (segment === undefined) byId("history-session").focus();
                      else this.player.show(segment);
                      this.summarize(id, signal);
                    } catch (error) {
                      if (!signal.aborted) toast(problemText(error));
                    }
                  }

                  /** Hours of audio are many bytes: they come when somebody wants to hear them. */
                  async audio(id, signal) {
                    try {
                      return await (await request(`${PATH}/${id}/audio`, { signal })).blob();
                    } catch (error) {
                      if (!signal.aborted) toast(problemText(error));
                      return null;
                    }
                  }

                  /** Gives a segment another text, or its recognised one; returns what the segment is then. */
                  async rewrite(id, segment, text) {
                    if (!(await this.edit(id, { segment: segment.id, text }))) return null;
                    if (text !== null) return { text, editedText: text };
                    try {
                      const { segments } = await requestJSON(`${PATH}/${id}`);
                      return segments.find((other) => other.id === segment.id) ?? null;
                    } catch (error) {
                      toast(problemText(error));
                      return null;
                    }
                  }

                  /** The summary comes after the text, which does not wait for it. */
                  async summarize(id, signal) {
                    let summary;
                    try {
                      summary = await requestJSON(`${PATH}/${id}/summary`, { signal });
                    } catch (error) {
                      if (signal.aborted) return;
                      summary = { text: problemText(error) };
                    }
                    const place = byId("history-summary");
                    if (this.shown !== id || !place) return;
                    if (summary.title) byId("history-title").placeholder = summary.title;
                    if (!summary.text) return;
                    place.replaceChildren(make("h2", { text: t("history.summary") }), make("p", { dir: "auto", text: summary.text }));
                    place.hidden = false;
                  }

                  article(session) {
                    const title = make("input", {
                      type: "text", id: "history-title", class: "title", dir: "auto", value: session.title,
                      "aria-label": t("history.title"), placeholder: t("history.untitled"),
                      onchange: async ({ target }) => {
                        if (await this.edit(session.id, { title: target.value.trim() })) this.list();
                      },
                    });
                    const about = [date(session.start), clock(session.duration)].join(" · ");
                    const parts = [title, make("p", { class: "fine", text: about }),
                      make("div", { id: "history-summary", class: "summary", hidden: true })];
                    if (!session.hasAudio) parts.push(make("p", { class: "fine", text: t("history.silent") }));
                    const formats = Object.keys(TYPES).map((format) => {
                      return make("button", { text: format.toUpperCase(), onclick: () => this.save(session.id, format) });
                    });
                    const remove = make("button", { text: t("history.delete"), onclick: () => this.remove(session.id) });
                    parts.push(make("div", { class: "group" }, ...formats, remove));
                    return parts;
                  }

                  async edit(id, change) {
                    try {
                      await postJSON(`${PATH}/${id}`, change);
                      return true;
                    } catch (error) {
                      toast(problemText(error));
                      return false;
                    }
                  }

                  async save(id, format) {
                    try {
                      const response = await request(`${PATH}/${id}/export?format=${format}`);
                      download(`steno-${id.slice(0, 8)}.${format}`, TYPES[format], await response.blob());
                    } catch (error) {
                      toast(problemText(error));
                    }
                  }

                  async remove(id) {
                    if (!(await confirm(t("history.question"), t("history.delete")))) return;
                    try {
                      await request(`${PATH}/${id}`, { method: "DELETE" });
                      this.reading?.abort();
                      this.player?.close();
                      this.player = this.shown = null;
                      byId("history-session").replaceChildren();
                      byId("history-search").focus();
                      this.list();
                    } catch (error) {
                      toast(problemText(error));
                    }
                  }
                }

                """#,
            "js/i18n.js": #"""
                // The texts of the interface, from a file for each language.

                /** The languages of the interface, each by its own name. */
                export const INTERFACES = {
                  en: "English",
                  es: "Español",
                  pt: "Português",
                  de: "Deutsch",
                  fr: "Français",
                  tr: "Türkçe",
                };
                const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

                let texts = {};
                let fallback = {};
                export let locale = "en";

                /** The interface language for a choice; without one, the first of the browser's that there is. */
                export function choose(choice) {
                  const wanted = [choice, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0].toLowerCase());
                  return wanted.find((code) => code in INTERFACES) ?? "en";
                }

                async function load(code) {
                  const response = await fetch(new URL(`../locales/${code}.json`, import.meta.url));
                  return response.json();
                }

                let chosen = "";

                /** Loads a language and translates the page, unless another one was chosen in the meantime. */
                export async function setLocale(code) {
                  chosen = code;
                  const loaded = await Promise.all([load(code), code === "en" ? {} : load("en")]);
                  if (chosen !== code) return;
                  [texts, fallback] = loaded;
                  locale = code;
                  document.documentElement.lang = code;
                  document.documentElement.dir = RIGHT_TO_LEFT.has(code) ? "rtl" : "ltr";
                  translate(document.documentElement);
                  dispatchEvent(new CustomEvent("localechange"));
                }

                /** The text of a key; `{name}` is replaced by the value of that name. With `count`, the key's plural form is chosen. */
                export function t(key, values = {}) {
                  let name = key;
                  if (values.count !== undefined) {
                    const form = `${key}.${new Intl.PluralRules(locale).select(values.count)}`;
                    name = form in texts ? form : `${key}.other`;
                  }
                  const text = texts[name] ?? fallback[name] ?? name;
                  return text.replace(/\{(\w+)\}/g, (whole, field) => values[field] ?? whole);
                }

                /** A speaker for people: the name of an enrolled voice, or the number in the language of the interface. */
                export function speakerName(label) {
                  const number = /^Speaker (\d+)$/.exec(label)?.[1];
                  return number ? t("speaker", { number }) : label;
                }

                /** Sets the texts of all elements that name a key. */
                export function translate(root) {
                  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
                  for (const element of root.querySelectorAll("[data-t-label]")) {
                    element.setAttribute("aria-label", t(element.dataset.tLabel));
                    if (element.matches("button")) element.title = t(element.dataset.tLabel);
                  }
                  for (const element of root.querySelectorAll("[data-t-placeholder]")) {
                    element.placeholder = t(element.dataset.tPlaceholder);
                  }
                }

                /** The name of a language in the language of the interface. */
                export function languageName(code) {
                  try {
                    const name = new Intl.DisplayNames([locale], { type: "language" }).of(code);
                    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
                  } catch {
                    return code;
                  }
                }

                /** A time within a recording, `1:02:03`. */
                export function clock(seconds) {
                  const whole = Math.max(0, Math.floor(seconds));
                  const parts = [Math.floor(whole / 60) % 60, whole % 60];
                  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
                  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
                }

                export function date(seconds) {
                  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
                }

                """#,
            "js/languages.js": #"""
                import { byId, make } from "./dom.js";
                import { choose, languageName, t } from "./i18n.js";
                import { settings } from "./settings.js";

                let codes = [];

                /** The language that was chosen, where the model knows it; empty is detected. */
                export function chosenLanguage() {
                  return codes.includes(settings.language) ? settings.language : "";
                }

                /** The two languages to switch between; at first that of the interface and another one of the browser's. */
                export function quickLanguages() {
                  if (settings.quick) return settings.quick;
                  const first = choose(settings.interface);
                  const known = navigator.languages.map((tag) => tag.split("-")[0]).filter((code) => code !== first);
                  return [first, known.find((code) => codes.includes(code)) ?? (first === "en" ? "es" : "en")];
                }

                function sorted() {
                  return codes.map((code) => [code, languageName(code)]).sort((a, b) => a[1].localeCompare(b[1]));
                }

                function fill(select, value, first) {
                  const options = sorted().map(([code, name]) => make("option", { value: code, text: name }));
                  if (first) options.unshift(make("option", { value: "", text: first }));
                  select.replaceChildren(...options);
                  select.value = value;
                }

                function show() {
                  fill(byId("language"), chosenLanguage(), t("language.detect"));
                  quickLanguages().forEach((code, index) => {
                    byId(`quick-${index}`).hidden = !codes.includes(code);
                    byId(`quick-${index}`).textContent = languageName(code);
                    byId(`quick-${index}`).setAttribute("aria-pressed", settings.language === code);
                    fill(byId(`set-quick-${index}`), code);
                  });
                }

                /** @param known The codes of all languages that can be recognised. */
                export function setUpLanguages(known, onSetting) {
                  codes = known;
                  show();
                  addEventListener("localechange", show);
                  onSetting((name) => {
                    if (name === "language" || name === "quick") show();
                  });
                  byId("language").addEventListener("change", ({ target }) => (settings.language = target.value));
                  for (const index of [0, 1]) {
                    byId(`quick-${index}`).addEventListener("click", () => {
                      const code = quickLanguages()[index];
                      // A second press gives the choice back to the model.
                      settings.language = settings.language === code ? "" : code;
                    });
                    byId(`set-quick-${index}`).addEventListener("change", ({ target }) => {
                      const pair = [...quickLanguages()];
                      pair[index] = target.value;
                      settings.quick = pair;
                    });
                  }
                }

                """#,
            "js/level.js": #"""
                /** Quieter than this there is no signal at all, in dBFS: a microphone in a silent room is at -60 or more. */
                const NO_SIGNAL = -75;
                const NO_SIGNAL_TIME = 5000;

                function decibels(amplitude) {
                  return amplitude > 0 ? Math.max(-100, 20 * Math.log10(amplitude)) : -100;
                }

                /** How loud a microphone is, in dBFS, and whether anything comes from it. */
                export class Level {
                  constructor() {
                    this.begin();
                  }

                  /** The microphone was opened, or is listened to again. */
                  begin() {
                    this.rms = this.peak = -100;
                    this.signalTime = performance.now();
                  }

                  take(block) {
                    this.rms = decibels(block.rms);
                    this.peak = decibels(block.peak);
                    if (this.peak > NO_SIGNAL) this.signalTime = performance.now();
                  }

                  get hasSignal() {
                    return performance.now() - this.signalTime < NO_SIGNAL_TIME;
                  }

                  /** Shows it in a meter; one that nobody hears is empty. */
                  show(meter, isHeard = true) {
                    const part = isHeard ? Math.max(0, Math.min(1, (this.rms + 65) / 55)) : 0;
                    meter.style.transform = `scaleX(${part.toFixed(2)})`;
                  }
                }

                """#,
            "js/lines.js": #"""
                import { make } from "./dom.js";
                import { speakerName, t } from "./i18n.js";

                /** So many paragraphs stand in the page; the earlier ones are kept as text. */
                const SHOWN = 120;

                /** What is said of audio that is missing. */
                export function gapText(seconds) {
                  return t("gap", { count: Math.ceil(seconds) });
                }

                /** Shows a transcript in an element: a paragraph each, the volatile text marked, finished paragraphs never touched. */
                export class Lines {
                  constructor(container, transcript) {
                    this.container = container;
                    this.transcript = transcript;
                    this.reset();
                  }

                  reset() {
                    this.container.replaceChildren();
                    this.first = 0;
                    this.nodes = [];
                    this.openNode = null;
                    this.space = document.createTextNode(" ");
                    this.volatile = make("span", { class: "volatile" });
                    /** Audio that is missing after the last paragraph. */
                    this.gap = make("p", { class: "gap" });
                  }

                  /** Writes what is shown once more with the next rendering, as with other labels. */
                  again() {
                    const { first } = this;
                    this.reset();
                    this.first = Math.max(0, Math.min(first, this.transcript.paragraphs.length - 1));
                  }

                  get hasEarlier() {
                    return this.first > 0;
                  }

                  /** Brings the element up to date. @param canTrim Whether early paragraphs may leave it. */
                  render(canTrim) {
                    const { paragraphs, partial, partialIsNewParagraph, missing } = this.transcript;
                    this.closeOpenNode();
                    this.gap.remove();
                    if (paragraphs.length < this.first + this.nodes.length) this.reset();
                    // The last paragraph may have grown before others came after it.
                    if (this.nodes.length > 0) {
                      const { said } = this.nodes.at(-1);
                      const { text } = paragraphs[this.first + this.nodes.length - 1];
                      if (said.nodeValue !== text) said.nodeValue = text;
                    }
                    for (let i = this.first + this.nodes.length; i < paragraphs.length; i++) this.append(this.paragraph(i));
                    this.volatile.remove();
                    this.space.remove();
                    if (missing > 0) {
                      this.gap.textContent = gapText(missing);
                      this.container.append(this.gap);
                    }
                    if (partial) {
                      const text = partial.trimStart();
                      this.volatile.textContent = text;
                      if (partialIsNewParagraph) this.open();
                      // The space before it is not marked.
                      else if (text !== partial) this.space.nodeValue = partial.slice(0, partial.length - text.length);
                      const before = partialIsNewParagraph || text === partial ? [] : [this.space];
                      this.nodes.at(-1).element.append(...before, this.volatile);
                    }
                    if (canTrim && this.nodes.length > SHOWN + 20) this.trim();
                  }

                  /**
                   * The element of a paragraph with its text, after the name of a speaker who is another one than before; and what
                   * stands before it where audio is missing.
                   */
                  paragraph(index) {
                    const { text, missing } = this.transcript.paragraphs[index];
                    const speaker = this.transcript.newSpeaker(index);
                    const said = document.createTextNode(text);
                    const label = speaker ? [make("strong", { class: "speaker", dir: "auto", text: speakerName(speaker) }), " "] : [];
                    const gap = missing > 0 ? [make("p", { class: "gap", text: gapText(missing) })] : [];
                    const element = make("p", { dir: "auto" }, ...label, said);
                    return { element, said, elements: [...gap, element] };
                  }

                  append(node) {
                    this.nodes.push(node);
                    this.container.append(...node.elements);
                  }

                  /** A paragraph that has volatile text alone. */
                  open() {
                    const said = document.createTextNode("");
                    const element = make("p", { dir: "auto" }, said);
                    this.openNode = { element, said, elements: [element] };
                    this.append(this.openNode);
                  }

                  /** It becomes the next paragraph. */
                  closeOpenNode() {
                    if (!this.openNode) return;
                    this.nodes.pop().element.remove();
                    this.openNode = null;
                  }

                  trim() {
                    const count = this.nodes.length - SHOWN;
                    this.nodes.splice(0, count);
                    this.first += count;
                    while (this.container.firstChild !== this.nodes[0].elements[0]) this.container.firstChild.remove();
                  }

                  /** Shows more of what came before. */
                  showEarlier() {
                    const start = Math.max(0, this.first - SHOWN);
                    const nodes = [];
                    for (let i = start; i < this.first; i++) nodes.push(this.paragraph(i));
                    this.container.prepend(...nodes.flatMap((node) => node.elements));
                    this.nodes.unshift(...nodes);
                    this.first = start;
                  }
                }

                """#,
            "js/look.js": #"""
                import { settings } from "./settings.js";

                /** Applies size, typeface, spacing and theme to the page. */
                export function applyLook() {
                  const root = document.documentElement;
                  root.dataset.theme = settings.theme;
                  root.dataset.face = settings.face;
                  // No larger than four words of a narrow window, whatever was chosen on a wide one.
                  root.style.setProperty("--size", `min(${settings.size}px, 22vw)`);
                  root.style.setProperty("--line", settings.line);
                  root.style.setProperty("--letters", `${settings.letters}em`);
                  root.style.setProperty("--words", `${settings.words}em`);
                }

                """#,
            "js/main.js": #"""
                import { key, readFragment } from "./access.js";
                import { Attention } from "./attention.js";
                import { CaptionsView } from "./captions-view.js";
                import { Captioner } from "./captioner.js";
                import { byId, toast } from "./dom.js";
                import { FaceView } from "./face-view.js";
                import { HistoryView } from "./history-view.js";
                import { choose, setLocale, t } from "./i18n.js";
                import { chosenLanguage, setUpLanguages } from "./languages.js";
                import { applyLook } from "./look.js";
                import { serverOffer } from "./offer.js";
                import { RecordView } from "./record-view.js";
                import { onSetting, settings } from "./settings.js";
                import { SettingsView } from "./settings-view.js";
                import { listKeys, setUpShortcuts } from "./shortcuts.js";
                import { setUpTabs } from "./tabs.js";
                import { WriteView } from "./write-view.js";

                /** Nothing of the page works yet, so that it waits is all it says. */
                function showTrouble(isOffline) {
                  byId("banner-trouble-text").textContent = isOffline ? t("problem.offline") : "";
                  byId("banner-trouble").hidden = !isOffline;
                }

                function showAbout({ version = "", model = "", fingerprint = "" }) {
                  // A server that did not answer has not said.
                  const parts = version ? [t("about", { version, model })] : [];
                  if (fingerprint) parts.push(t("about.certificate", { fingerprint }));
                  byId("about").textContent = parts.join(" ");
                }

                function applySettings(captioner) {
                  onSetting((name) => {
                    applyLook();
                    if (name === "interface") setLocale(choose(settings.interface));
                    if (["language", "names", "save"].includes(name)) captioner.update();
                    // What was said in between is in nobody's history.
                    if (name === "save" && settings.save && !captioner.isKept) toast(t("kept.later"));
                    if (name === "device") captioner.change();
                  });
                }

                async function begin() {
                  readFragment();
                  // The printed address was opened in this tab once more.
                  addEventListener("hashchange", () => {
                    if (readFragment().has("key")) location.reload();
                  });
                  applyLook();
                  await setLocale(choose(settings.interface));
                  const offer = await serverOffer(showTrouble);
                  if (offer.language && settings.language === null) settings.language = offer.language;
                  const captioner = new Captioner({
                    get language() { return chosenLanguage(); },
                    get device() { return settings.device; },
                    get names() { return settings.names; },
                    get screen() { return settings.screen; },
                    get save() { return offer.history && settings.save; },
                    get speakers() { return offer.speakers && settings.speakers; },
                  });
                  const hold = (isSpeaking) => (captioner.isHeld = isSpeaking);
                  const captions = new CaptionsView(captioner);
                  captions.hasHistory = offer.history;
                  new Attention(captioner);
                  new WriteView(hold);
                  new RecordView();
                  new SettingsView();
                  const face = new FaceView(captioner, hold);
                  const history = new HistoryView();
                  byId("tab-history").hidden = byId("set-save-row").hidden = !offer.history;
                  byId("set-speakers-row").hidden = !offer.speakers;
                  setUpLanguages(offer.languages, onSetting);
                  setUpShortcuts();
                  setUpTabs((name) => {
                    if (name === "captions") captions.render();
                    if (name === "face") face.open();
                    if (name === "history") history.open();
                  });
                  document.querySelector(".skip").addEventListener("click", () => byId("tab-captions").click());
                  const localize = () => {
                    listKeys();
                    showAbout(offer);
                  };
                  addEventListener("localechange", localize);
                  localize();
                  applySettings(captioner);
                  captions.showState();
                  document.documentElement.dataset.ready = key() ? "key" : "open";
                }

                begin();

                """#,
            "js/microphone.js": #"""
                /** Where the audio comes from besides the microphones: what this computer plays. */
                export const COMPUTER = "computer";

                /** Audio of a microphone or of the computer, as blocks of 16-bit samples at 16 kHz. */
                export class Microphone {
                  /** @param handlers `block({samples, rms, peak})`, `ended()` when the device is gone. */
                  constructor(handlers) {
                    this.handlers = handlers;
                    /** Grows with every opening and closing, so that one that was overtaken ends itself. */
                    this.generation = 0;
                  }

                  /** Opens a device; throws the browser's error, and `Closed` where it was closed in the meantime. */
                  async open(device) {
                    if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
                    this.close();
                    const own = this.generation;
                    const check = () => {
                      if (own !== this.generation) throw new DOMException("", "Closed");
                    };
                    // A context that is closed meanwhile fails in its own words, too.
                    const still = (promise) => promise.finally(check);
                    const stream = await this.ask(device).catch((error) => {
                      check();
                      throw error;
                    });
                    if (own !== this.generation) stop(stream);
                    check();
                    this.stream = stream;
                    const context = new AudioContext({ latencyHint: "interactive" });
                    this.context = context;
                    await still(context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url)));
                    await still(context.resume());
                    // A telephone call takes the audio away for a while.
                    context.onstatechange = () => {
                      if (context === this.context && context.state !== "running") context.resume().catch(() => {});
                    };
                    const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
                    node.port.onmessage = ({ data }) => {
                      if (own === this.generation) this.handlers.block(data);
                    };
                    context.createMediaStreamSource(stream).connect(node);
                    stream.getAudioTracks()[0].onended = () => this.handlers.ended();
                  }

                  async ask(device) {
                    if (device === COMPUTER) {
                      const stream = await navigator.mediaDevices.getDisplayMedia({ audio: true, video: true });
                      if (stream.getAudioTracks().length > 0) return stream;
                      stop(stream);
                      throw new DOMException("", "NotFoundError");
                    }
                    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };
                    if (device) audio.deviceId = { ideal: device };
                    return navigator.mediaDevices.getUserMedia({ audio });
                  }

                  close() {
                    this.generation += 1;
                    if (this.stream) stop(this.stream);
                    this.context?.close();
                    this.stream = this.context = null;
                  }

                  /** The microphones; their names are known once one of them was allowed. */
                  static async list() {
                    const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
                    return devices.filter((device) => device.kind === "audioinput" && device.deviceId);
                  }
                }

                function stop(stream) {
                  for (const track of stream.getTracks()) {
                    track.onended = null;
                    track.stop();
                  }
                }

                """#,
            "js/offer.js": #"""
                import { requestJSON, setKey } from "./access.js";
                import { open } from "./dialogs.js";
                import { byId } from "./dom.js";
                import { INTERFACES } from "./i18n.js";

                /** The pause between two attempts, in milliseconds. */
                const PAUSE = 2000;

                /**
                 * What the server offers. It asks for the key until it is right, and asks a server that does not answer, or fails, again:
                 * otherwise the page would lack its history for as long as it is open.
                 *
                 * @param onTrouble Called with whether the server does not answer now.
                 */
                export async function serverOffer(onTrouble) {
                  for (;;) {
                    try {
                      const offer = await requestJSON("v1/steno/captions");
                      onTrouble(false);
                      return offer;
                    } catch (error) {
                      if (error.status === 401) {
                        onTrouble(false);
                        await open("key");
                        setKey(byId("key-value").value);
                      } else if (error.status >= 400 && error.status < 500) {
                        // It refuses for good, as a proxy may: what needs no server still works.
                        onTrouble(false);
                        return { languages: Object.keys(INTERFACES), history: false, speakers: false };
                      } else {
                        onTrouble(true);
                        await new Promise((resolve) => setTimeout(resolve, PAUSE));
                      }
                    }
                  }
                }

                """#,
            "js/overlay.js": #"""
                // Captions alone, for OBS and second screens. The address has the settings: `?size=48&lines=3&place=bottom&align=start
                // &color=ffffff&background=000000cc&volatile=b5e0ff&face=sans&listen=1&language=de`; the fragment has what is secret:
                // `#screen=…` shows the text of another page, and `listen=1` listens itself.

                import { readFragment } from "./access.js";
                import { Captioner } from "./captioner.js";
                import { byId, make } from "./dom.js";
                import { choose, setLocale, speakerName, t } from "./i18n.js";
                import { describe, problemText } from "./status.js";
                import { Transcript } from "./transcript.js";
                import { Watch } from "./watch.js";

                const FACES = {
                  sans: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
                  serif: 'Georgia, "Noto Serif", serif',
                  mono: "ui-monospace, Menlo, Consolas, monospace",
                };

                /** So many paragraphs may be in sight. */
                const SHOWN = 20;
                /** That nothing is said yet is shown for so long: not to those who watch a picture with captions. In milliseconds. */
                const HINT_TIME = 8000;

                const query = new URLSearchParams(location.search);
                const fragment = readFragment();

                function look() {
                  const { style, dataset } = document.documentElement;
                  const within = (name, low, high) => {
                    const value = Number(query.get(name));
                    return value >= low && value <= high ? value : null;
                  };
                  const color = (name) => (/^[0-9a-f]{3,8}$/i.test(query.get(name) ?? "") ? `#${query.get(name)}` : null);
                  const values = {
                    "--size": within("size", 8, 400) && `${within("size", 8, 400)}px`,
                    "--lines": within("lines", 1, 20),
                    "--color": color("color"),
                    "--ground": color("background"),
                    "--volatile": color("volatile"),
                    "--face": FACES[query.get("face")],
                  };
                  for (const [name, value] of Object.entries(values)) if (value) style.setProperty(name, value);
                  dataset.place = query.get("place") ?? "bottom";
                  dataset.align = query.get("align") ?? "start";
                }

                function show(transcript) {
                  const first = Math.max(0, transcript.paragraphs.length - SHOWN);
                  const paragraphs = transcript.paragraphs.slice(first).map((paragraph, index) => {
                    const speaker = transcript.newSpeaker(first + index);
                    return [paragraph.text, "", speaker];
                  });
                  if (transcript.partial) {
                    if (transcript.partialIsNewParagraph) paragraphs.push(["", transcript.partial.trimStart()]);
                    else paragraphs.at(-1)[1] = transcript.partial;
                  }
                  const lines = paragraphs.map(([final, volatile, speaker]) => {
                    const label = speaker ? [make("strong", { dir: "auto", text: `${speakerName(speaker)}: ` })] : [];
                    const text = make("span", {}, ...label, final);
                    if (volatile) text.append(make("span", { class: "volatile", text: volatile }));
                    return make("span", { dir: "auto" }, text);
                  });
                  byId("lines").replaceChildren(...lines);
                }

                function watch(screen) {
                  const transcript = new Transcript();
                  let timer;
                  new Watch(screen, {
                    event: (event) => {
                      if (event.type === "watching" || event.type === "cleared") transcript.clear();
                      transcript.apply(event, 0);
                      show(transcript);
                      if (event.type !== "watching") byId("state").textContent = "";
                    },
                    change: (isConnected) => {
                      byId("state").textContent = isConnected ? t("overlay.waiting") : t("state.reconnecting.short");
                      clearTimeout(timer);
                      if (isConnected) timer = setTimeout(() => (byId("state").textContent = ""), HINT_TIME);
                    },
                    problem: (error) => {
                      clearTimeout(timer);
                      byId("state").textContent = error.code === "invalid_value" ? t("overlay.how") : problemText(error);
                    },
                  });
                }

                function listen() {
                  const captioner = new Captioner({ language: query.get("language") ?? "", device: "", names: [], save: false });
                  captioner.addEventListener("text", () => show(captioner.transcript));
                  let problem = "";
                  const state = () => {
                    const { lamp, text } = describe(captioner);
                    if (lamp === "listening") problem = "";
                    // Why it does not listen any more is not hidden by that it does not.
                    byId("state").textContent = lamp === "listening" ? "" : problem || text;
                  };
                  captioner.addEventListener("change", state);
                  captioner.addEventListener("problem", ({ detail }) => {
                    problem = problemText(detail);
                    byId("state").textContent = problem;
                  });
                  captioner.start();
                }

                look();
                await setLocale(choose(query.get("interface")));
                if (fragment.get("screen")) watch(fragment.get("screen"));
                else if (query.get("listen")) listen();
                else byId("state").textContent = t("overlay.how");
                document.documentElement.dataset.ready = "yes";

                """#,
            "js/phrases.js": #"""
                import { byId, make, toast } from "./dom.js";
                import { t } from "./i18n.js";
                import { settings } from "./settings.js";

                const MOST = 60;

                /** The phrases that the reader has kept; at first a few in the language of the interface. */
                export function phrases() {
                  return settings.phrases ?? [t("phrase.deaf"), t("phrase.slowly"), t("phrase.repeat"), t("phrase.write"),
                    t("phrase.thanks")];
                }

                export function keepPhrase(text) {
                  const phrase = text.trim();
                  if (!phrase || phrases().includes(phrase)) return;
                  settings.phrases = [phrase, ...phrases()].slice(0, MOST);
                  toast(t("phrase.kept"));
                }

                /** Shows the phrases as buttons. @param onChoose Called with the phrase. */
                export function showPhrases(onChoose) {
                  const place = byId("phrases");
                  const items = phrases().map((phrase, index) => {
                    const remove = make("button", {
                      class: "icon", "aria-label": t("phrase.remove", { phrase }), text: "×",
                      onclick: () => {
                        settings.phrases = phrases().filter((other) => other !== phrase);
                        showPhrases(onChoose);
                        // For a keyboard, which would begin at the top of the page again.
                        const others = place.querySelectorAll("button.icon");
                        (others[Math.min(index, others.length - 1)] ?? byId("write-keep")).focus();
                      },
                    });
                    return make("li", {}, make("button", { text: phrase, dir: "auto", onclick: () => onChoose(phrase) }), remove);
                  });
                  place.replaceChildren(...items);
                }

                """#,
            "js/player.js": #"""
                import { make } from "./dom.js";
                import { clock, speakerName, t } from "./i18n.js";

                /** Who speaks in a segment, one after the other: whom somebody has named, or else the speakers of its words. */
                function speakersOf(segment) {
                  if (segment.speaker) return [segment.speaker];
                  const named = (segment.words ?? []).map((word) => word.speaker).filter(Boolean);
                  // Nobody knows where in an edited text the speaker changes.
                  return isEdited(segment) ? named.slice(0, 1) : named;
                }

                function isEdited(segment) {
                  return segment.editedText !== undefined && segment.editedText !== null;
                }

                function label(speaker) {
                  return make("strong", { class: "speaker", dir: "auto", text: speakerName(speaker) });
                }

                /**
                 * A transcript that is played: the spoken word is marked, and a click on a word plays from there.
                 *
                 * @param segments Objects with `id`, `start`, `text` and `words` (`start`, `end`, `word`, `speaker`); one with a
                 *   `speaker` is said by nobody else.
                 */
                export class Player {
                  /**
                   * @param onEdit Called with a segment and its new text, or null for the recognised one; gives what the segment is then,
                   *   or nothing where the change failed. Without it the text cannot be edited.
                   * @param fetch Gets the audio when it is first to be played; without it the audio comes by `load`, if there is any.
                   */
                  constructor(segments, { onEdit, fetch } = {}) {
                    this.onEdit = onEdit;
                    this.fetch = fetch;
                    this.words = [];
                    let speaker = null;
                    for (const segment of segments) {
                      const speakers = speakersOf(segment);
                      // Where somebody else speaks.
                      if (speakers.length > 0 && speakers[0] !== speaker) segment.label = speakers[0];
                      speaker = speakers.at(-1) ?? speaker;
                    }
                    this.audio = make("audio", { controls: true, preload: "metadata", "aria-label": t("player") });
                    this.audio.hidden = true;
                    this.start = make("button", { text: t("play"), hidden: !fetch, onclick: () => this.play(0) });
                    this.text = make("div", { class: "spoken" }, ...segments.map((segment) => this.paragraph(segment)));
                    this.element = make("div", { class: "player" }, this.start, this.audio, this.text);
                    this.audio.addEventListener("timeupdate", () => this.mark());
                    this.audio.addEventListener("play", () => this.animate());
                  }

                  /** Gives it the audio. */
                  load(blob) {
                    this.address = URL.createObjectURL(blob);
                    this.audio.src = this.address;
                    this.audio.hidden = false;
                    this.start.hidden = true;
                  }

                  close() {
                    this.isClosed = true;
                    this.audio.pause();
                    if (this.address) URL.revokeObjectURL(this.address);
                  }

                  /** Plays from a time; while the audio is coming, the last one counts. */
                  async play(time) {
                    this.time = time;
                    if (this.fetch) {
                      if (this.start.disabled) return;
                      this.start.disabled = true;
                      const audio = await this.fetch();
                      this.start.disabled = false;
                      if (!audio || this.isClosed) return;
                      this.fetch = null;
                      this.load(audio);
                    }
                    if (this.audio.hidden) return;
                    this.audio.currentTime = this.time;
                    // A browser may not let it play without a click; it can be played by its own button then.
                    this.audio.play().catch(() => {});
                  }

                  /** Leads to a segment. */
                  show(id) {
                    const node = [...this.text.children].find((node) => node.dataset.segment === String(id));
                    node?.scrollIntoView({ block: "center" });
                    node?.focus();
                  }

                  paragraph(segment) {
                    const start = make("button", { class: "time", text: clock(segment.start), onclick: () => this.play(segment.start) });
                    const node = make("p", { dir: "auto", tabindex: "-1", "data-segment": segment.id }, start);
                    if (segment.label) node.append(label(segment.label));
                    node.fixed = node.childNodes.length;
                    this.fill(node, segment);
                    return node;
                  }

                  fill(node, segment) {
                    while (node.childNodes.length > node.fixed) node.lastChild.remove();
                    if (isEdited(segment) || !segment.words?.length) node.append(segment.text);
                    else this.fillWords(node, segment);
                    if (!this.onEdit) return;
                    const edit = make("button", { class: "time", text: t("edit"), onclick: () => this.edit(node, segment) });
                    node.append(" ", edit);
                    if (!isEdited(segment)) return;
                    const undo = make("button", { class: "time", text: t("edit.undo"), onclick: () => this.undo(node, segment) });
                    node.append(" ", undo);
                  }

                  /** The segment as it was recognised. */
                  async undo(node, segment) {
                    if (await this.change(segment, null)) this.refill(node, segment);
                  }

                  async change(segment, text) {
                    const changed = await this.onEdit(segment, text);
                    if (changed) Object.assign(segment, changed);
                    return Boolean(changed);
                  }

                  refill(node, segment) {
                    this.words = this.words.filter((word) => !node.contains(word.node));
                    this.fill(node, segment);
                    node.querySelector("button").focus();
                  }

                  fillWords(node, segment) {
                    let [speaker] = speakersOf(segment);
                    for (const word of segment.words) {
                      // A word of which nobody knows who said it goes with its neighbours.
                      if (!segment.speaker && word.speaker && word.speaker !== speaker) {
                        speaker = word.speaker;
                        node.append(label(speaker));
                      }
                      node.append(this.word(word));
                    }
                  }

                  word(word) {
                    const text = word.word ?? word.text;
                    const node = make("span", { class: "word", text, onclick: () => this.play(word.start) });
                    this.words.push({ ...word, node });
                    return node;
                  }

                  edit(node, segment) {
                    const field = make("textarea", { rows: 3, "aria-label": t("edit") });
                    field.value = segment.text.trim();
                    const save = make("button", { class: "main", text: t("edit.save") });
                    const cancel = make("button", { text: t("cancel") });
                    const form = make("div", { class: "field" }, field, make("div", { class: "controls" }, save, cancel));
                    node.replaceWith(form);
                    field.focus();
                    const close = () => {
                      form.replaceWith(node);
                      this.refill(node, segment);
                    };
                    cancel.addEventListener("click", close);
                    save.addEventListener("click", async () => {
                      const text = (segment.text.startsWith(" ") ? " " : "") + field.value.trim();
                      save.disabled = true;
                      const isKept = await this.change(segment, text);
                      save.disabled = false;
                      // What was written is not lost where the server cannot take it.
                      if (isKept) close();
                    });
                  }

                  // The word that is spoken

                  animate() {
                    if (this.audio.paused) return;
                    this.mark();
                    requestAnimationFrame(() => this.animate());
                  }

                  mark() {
                    const time = this.audio.currentTime;
                    const now = this.words.find((word) => word.start <= time && time < word.end)?.node;
                    if (now === this.marked) return;
                    this.marked?.classList.remove("now");
                    now?.classList.add("now");
                    this.marked = now;
                    now?.scrollIntoView({ block: "nearest" });
                  }
                }

                """#,
            "js/record-view.js": #"""
                import { request } from "./access.js";
                import { keepAwake } from "./awake.js";
                import { confirm } from "./dialogs.js";
                import { byId, download, toast } from "./dom.js";
                import { fileName } from "./export.js";
                import { clock, t } from "./i18n.js";
                import { chosenLanguage } from "./languages.js";
                import { Level } from "./level.js";
                import { Microphone } from "./microphone.js";
                import { Player } from "./player.js";
                import { RATE } from "./ring.js";
                import { settings } from "./settings.js";
                import { problemText } from "./status.js";
                import { wav } from "./wav.js";

                /** The longest recording, in seconds: it stays in this page's memory. */
                const LONGEST = 3600;

                /** Record first, and read then; or read a file. */
                export class RecordView {
                  constructor() {
                    this.blocks = [];
                    this.phase = "idle";
                    this.level = new Level();
                    /** A recording whose text is not there yet. */
                    this.unread = null;
                    this.microphone = new Microphone({ block: (block) => this.hear(block), ended: () => this.stop() });
                    byId("record-start").addEventListener("click", () => (this.phase === "recording" ? this.stop() : this.start()));
                    byId("record-again").addEventListener("click", () => this.transcribe(this.unread));
                    byId("record-keep").addEventListener("click", () => download(fileName("wav"), "audio/wav", this.unread));
                    addEventListener("beforeunload", (event) => {
                      if (this.phase === "recording" || this.unread) event.preventDefault();
                    });
                    byId("record-file").addEventListener("change", ({ target }) => {
                      const file = target.files[0];
                      target.value = "";
                      if (file) this.open(file);
                    });
                    addEventListener("localechange", () => this.show());
                    // A microphone that gives nothing at all reports nothing either.
                    setInterval(() => this.showState(), 500);
                    this.show();
                  }

                  /** Asks before a recording without text makes room for another one; a file is kept where it comes from. */
                  async mayReplace() {
                    if (!this.unread || this.unread instanceof File) return true;
                    return confirm(t("record.question"), t("history.delete"));
                  }

                  async open(file) {
                    if (await this.mayReplace()) this.transcribe(file);
                  }

                  async start() {
                    if (this.phase !== "idle" || !(await this.mayReplace())) return;
                    this.blocks = [];
                    this.phase = "starting";
                    this.said = "";
                    this.show();
                    try {
                      await this.microphone.open(settings.device);
                      this.phase = "recording";
                      this.level.begin();
                      // Not before: where there is no microphone nothing takes its place.
                      this.unread = null;
                    } catch (error) {
                      this.microphone.close();
                      this.phase = "idle";
                      toast(problemText({ code: error.name }));
                    }
                    this.show();
                  }

                  hear(block) {
                    if (this.phase !== "recording") return;
                    this.blocks.push(block.samples);
                    this.level.take(block);
                    this.level.show(byId("record-meter-fill"));
                    const samples = this.blocks.length * block.samples.length;
                    this.showTime(samples / RATE);
                    if (samples > LONGEST * RATE) this.stop();
                  }

                  stop() {
                    if (this.phase !== "recording") return;
                    this.microphone.close();
                    const recording = wav(this.blocks);
                    this.blocks = [];
                    this.transcribe(recording);
                  }

                  async transcribe(audio) {
                    if (this.phase === "busy" || !audio) return;
                    this.phase = "busy";
                    this.unread = audio;
                    this.show();
                    this.player?.close();
                    byId("record-player").replaceChildren();
                    try {
                      const result = await this.send(audio);
                      this.player = new Player(segmentsOf(result));
                      this.player.load(audio);
                      byId("record-player").replaceChildren(this.player.element);
                      this.said = result.text.trim() ? "" : t("record.empty");
                      this.unread = null;
                    } catch (error) {
                      this.said = problemText(error);
                    }
                    this.phase = "idle";
                    this.show();
                  }

                  async send(audio) {
                    const form = new FormData();
                    form.append("file", audio, audio.name ?? "recording.wav");
                    form.append("response_format", "verbose_json");
                    form.append("timestamp_granularities[]", "word");
                    form.append("timestamp_granularities[]", "segment");
                    if (chosenLanguage()) form.append("language", chosenLanguage());
                    return (await request("v1/audio/transcriptions", { method: "POST", body: form })).json();
                  }

                  show() {
                    const isRecording = this.phase === "recording";
                    byId("record-text").textContent = isRecording ? t("record.stop") : t("record.start");
                    byId("record-icon").setAttribute("href", `captions/icons.svg#${isRecording ? "stop" : "record"}`);
                    byId("record-start").disabled = byId("record-file").disabled = this.phase === "busy" || this.phase === "starting";
                    byId("record-file").disabled ||= isRecording;
                    byId("record-again").hidden = this.phase !== "idle" || !this.unread;
                    // A file is kept where it comes from.
                    byId("record-keep").hidden = byId("record-again").hidden || this.unread instanceof File;
                    byId("record-time").hidden = byId("record-meter").hidden = !isRecording;
                    if (isRecording) this.showTime(0);
                    keepAwake(this, isRecording);
                    this.showState();
                  }

                  /** A screen reader announces it, so it changes only when there is something else to say. */
                  showState() {
                    const text = this.state();
                    if (byId("record-state").textContent !== text) byId("record-state").textContent = text;
                  }

                  state() {
                    if (this.phase === "busy") return t("record.busy");
                    if (this.phase === "recording") return this.level.hasSignal ? "" : t("state.silent");
                    return this.said ?? "";
                  }

                  /** Not announced: it changes all the time. */
                  showTime(seconds) {
                    const text = t("record.running", { time: clock(seconds) });
                    if (byId("record-time").textContent !== text) byId("record-time").textContent = text;
                  }
                }

                /**
                 * The segments with their words, which come as one list, in the order of the text: each word once, with the spaces
                 * before it. A segment that is not made of the next words has its text alone.
                 */
                export function segmentsOf({ segments = [], words = [] }) {
                  let next = 0;
                  return segments.map((segment) => {
                    const wanted = withoutSpaces(segment.text);
                    let [said, end] = ["", next];
                    while (end < words.length && said.length < wanted.length) said += withoutSpaces(words[end++].word);
                    if (said !== wanted) return { ...segment, words: [] };
                    const own = words.slice(next, end);
                    next = end;
                    let rest = segment.text;
                    return { ...segment, words: own.map((word) => {
                      let length = rest.search(/\S/);
                      for (let letters = withoutSpaces(word.word).length; letters > 0; length++) {
                        if (/\S/.test(rest[length])) letters -= 1;
                      }
                      const text = rest.slice(0, length);
                      rest = rest.slice(length);
                      return { ...word, word: text };
                    }) };
                  });
                }

                function withoutSpaces(text) {
                  return text.replace(/\s/g, "");
                }

                """#,
            "js/ring.js": #"""
                /** Samples a second of all audio that is sent. */
                export const RATE = 16000;

                /** The last minute of audio, by the number of each sample since the page began to listen. */
                export class AudioRing {
                  constructor(seconds = 60) {
                    this.samples = new Int16Array(seconds * RATE);
                    this.end = 0;
                  }

                  /** The first sample that is still there. */
                  get start() {
                    return Math.max(0, this.end - this.samples.length);
                  }

                  append(block) {
                    const at = this.end % this.samples.length;
                    const first = Math.min(block.length, this.samples.length - at);
                    this.samples.set(block.subarray(0, first), at);
                    this.samples.set(block.subarray(first), 0);
                    this.end += block.length;
                  }

                  /** A copy of the samples of a range that is there. */
                  slice(from, to) {
                    const at = from % this.samples.length;
                    const copy = new Int16Array(to - from);
                    const first = Math.min(copy.length, this.samples.length - at);
                    copy.set(this.samples.subarray(at, at + first));
                    copy.set(this.samples.subarray(0, copy.length - first), first);
                    return copy;
                  }
                }

                """#,
            "js/say.js": #"""
                import { toast } from "./dom.js";
                import { locale, t } from "./i18n.js";

                /** Browsers load their voices after the page; some never have any. In milliseconds. */
                const VOICES_TIME = 1500;
                /** Some voices end without saying so: it is looked at so often, in milliseconds. */
                const CHECK = 250;

                /** The text that is spoken: a later one takes its place. */
                let current = null;

                /** The voices of the browser, as soon as it has some. */
                function voices() {
                  const known = speechSynthesis.getVoices();
                  if (known.length > 0) return known;
                  return new Promise((resolve) => {
                    const give = () => resolve(speechSynthesis.getVoices());
                    speechSynthesis.addEventListener("voiceschanged", give, { once: true });
                    setTimeout(give, VOICES_TIME);
                  });
                }

                /** The voice of a language: one of this device before one that needs a network. */
                function voiceFor(language, all) {
                  const fitting = all.filter((voice) => voice.lang.toLowerCase().split(/[-_]/)[0] === language);
                  return fitting.find((voice) => voice.localService) ?? fitting[0];
                }

                /**
                 * Speaks a text with the browser's own voice.
                 *
                 * @param onSpeaking Called with true before and false after it, so that the microphone does not hear it.
                 */
                export async function say(text, onSpeaking = () => {}, language = locale) {
                  if (!text.trim()) return;
                  if (!("speechSynthesis" in window)) return toast(t("say.none"));
                  const own = {};
                  current?.end();
                  current = own;
                  own.end = () => {
                    if (current === own) current = null;
                  };
                  const all = await voices();
                  if (current !== own) return;
                  if (all.length === 0) {
                    own.end();
                    return toast(t("say.none"));
                  }
                  speechSynthesis.cancel();
                  const voice = voiceFor(language, all);
                  if (voice && !voice.localService) toast(t("say.remote"));
                  const utterance = new SpeechSynthesisUtterance(text);
                  utterance.lang = voice?.lang ?? language;
                  if (voice) utterance.voice = voice;
                  speak(utterance, own, onSpeaking);
                }

                /** The microphone is held as long as the browser speaks, and never longer. */
                function speak(utterance, own, onSpeaking) {
                  const watch = setInterval(() => {
                    if (!speechSynthesis.speaking && !speechSynthesis.pending) own.end();
                  }, CHECK);
                  own.end = () => {
                    clearInterval(watch);
                    own.end = () => {};
                    if (current !== own) return;
                    current = null;
                    onSpeaking(false);
                  };
                  utterance.onend = utterance.onerror = () => own.end();
                  onSpeaking(true);
                  speechSynthesis.speak(utterance);
                }

                """#,
            "js/seam.js": #"""
                /** A word may be heard for so long after its reported end, in seconds. */
                export const REST = 0.25;

                /** The letters of a word, by which it is known again; null where there are none. */
                function letters(word) {
                  return word?.word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") || null;
                }

                /**
                 * The seam between a session and the one that takes over, as where a server was killed in the middle of a word.
                 *
                 * The audio of the new one begins where the last final word ends, as far as that is known. What is left of that word may be
                 * heard as a word, the same once more or another one, which is left out here.
                 */
                export class Seam {
                  constructor() {
                    this.forget();
                    /** What stood on both sides of the seam, until the session has final text. */
                    this.before = null;
                  }

                  /** The next session begins with other audio than that after the last word. */
                  forget() {
                    this.last = this.next = null;
                  }

                  /** Notes the last word that is final, and the next one in sight. */
                  hear({ type, segments, words, finals, partials }) {
                    if (type === "partial") this.next = letters((segments?.[0]?.words ?? words)?.[0]);
                    const said = type === "final" ? (segments?.at(-1)?.words ?? words) : finals?.at(-1)?.words;
                    if (!said?.length) return;
                    this.last = letters(said.at(-1));
                    this.next = letters(partials?.[0]?.words?.[0]);
                  }

                  /** A session takes over, whose audio begins after so many seconds of silence. */
                  begin(silence) {
                    this.before = this.last && { last: this.last, next: this.next, limit: silence + REST };
                  }

                  /** What a session says, without the rest of the word before it. */
                  mend(event) {
                    const { before } = this;
                    if (!before) return event;
                    const key = event.type === "snapshot" ? "finals" : "segments";
                    const parts = event[key]?.length > 0 ? event[key] : [event];
                    // All that follows the first final text is new.
                    if (event.type === "final" || (key === "finals" && parts[0] !== event)) this.before = null;
                    const [, ...words] = parts[0].words ?? [];
                    const [first, second] = [...parts, ...(event.partials ?? [])].flatMap((part) => part.words ?? []);
                    if (first !== parts[0].words?.[0] || !this.isRest(first, second, before)) return event;
                    const text = words.map(({ word }) => word).join("");
                    const mended = { ...parts[0], start: words[0]?.start ?? parts[0].end, words, text };
                    if (parts[0] === event) return mended;
                    const all = [mended, ...parts.slice(1)];
                    return { ...event, [key]: all, text: all.map((part) => part.text).join("") };
                  }

                  /** Whether a word is what is left of the one before: not the next one in sight, but said again or before that one. */
                  isRest(first, second, { last, next, limit }) {
                    if (!first || first.start > limit || letters(first) === next) return false;
                    return letters(first) === last || (next !== null && letters(second) === next);
                  }
                }

                """#,
            "js/settings-view.js": #"""
                import { open } from "./dialogs.js";
                import { byId, make, toast } from "./dom.js";
                import { INTERFACES, t } from "./i18n.js";
                import { COMPUTER, Microphone } from "./microphone.js";
                import { settings } from "./settings.js";

                const THEMES = { auto: () => t("theme.auto"), dark: () => t("theme.dark"), light: () => t("theme.light"),
                  yellow: () => t("theme.yellow") };
                const FACES = { sans: () => t("face.sans"), serif: () => t("face.serif"), mono: () => t("face.mono"),
                  legible: () => t("face.legible"), dyslexic: () => t("face.dyslexic") };
                const CHECKS = ["vibrate", "alertSpeech", "noise", "save", "speakers", "announce", "shortcuts"];

                /** The settings: every one of them applies at once, with the text beside it. */
                export class SettingsView {
                  constructor() {
                    byId("settings-open").addEventListener("click", () => this.open());
                    byId("help-open").addEventListener("click", () => open("help"));
                    this.connect();
                    addEventListener("localechange", () => {
                      this.fill();
                      this.fillDevices();
                    });
                    this.fill();
                  }

                  async open() {
                    this.fill();
                    open("settings");
                    await this.fillDevices();
                  }

                  connect() {
                    for (const name of ["size", "line", "letters", "words"]) {
                      byId(`set-${name}`).addEventListener("input", ({ target }) => (settings[name] = Number(target.value)));
                    }
                    for (const name of ["face", "device", "interface"]) {
                      byId(`set-${name}`).addEventListener("change", ({ target }) => (settings[name] = target.value));
                    }
                    for (const name of CHECKS) {
                      byId(`set-${name}`).addEventListener("change", ({ target }) => (settings[name] = target.checked));
                    }
                    byId("set-names").addEventListener("change", ({ target }) => {
                      settings.names = target.value.split(",").map((name) => name.trim()).filter(Boolean).slice(0, 20);
                    });
                    byId("set-screen").addEventListener("change", ({ target }) => this.share(target.checked));
                    byId("screen-copy").addEventListener("click", async () => {
                      try {
                        await navigator.clipboard.writeText(byId("screen-address").value);
                        toast(t("copied"));
                      } catch {
                        // Browsers give the clipboard to secure pages alone; the text is selected for the keyboard.
                        byId("screen-address").select();
                        toast(t("copy.failed"));
                      }
                    });
                  }

                  fill() {
                    byId("theme").replaceChildren(...Object.entries(THEMES).map(([value, text]) => this.theme(value, text())));
                    fillSelect("set-face", FACES, settings.face);
                    const names = { "": () => t("interface.browser") };
                    for (const [code, name] of Object.entries(INTERFACES)) names[code] = () => name;
                    fillSelect("set-interface", names, settings.interface);
                    for (const name of ["size", "line", "letters", "words"]) byId(`set-${name}`).value = settings[name];
                    for (const name of CHECKS) {
                      byId(`set-${name}`).checked = settings[name];
                    }
                    byId("set-names").value = settings.names.join(", ");
                    this.showScreen();
                  }

                  theme(value, text) {
                    const input = make("input", { type: "radio", name: "theme", value, id: `theme-${value}` });
                    input.checked = settings.theme === value;
                    input.addEventListener("change", () => (settings.theme = value));
                    return make("label", { class: "check" }, input, make("span", { text }));
                  }

                  async fillDevices() {
                    const devices = await Microphone.list();
                    const names = { "": () => t("microphone.default") };
                    devices.forEach((device, index) => {
                      names[device.deviceId] = () => device.label || t("microphone.number", { number: index + 1 });
                    });
                    if (navigator.mediaDevices?.getDisplayMedia) names[COMPUTER] = () => t("microphone.computer");
                    fillSelect("set-device", names, settings.device in names ? settings.device : "");
                  }

                  /** Other screens show the text of this page, to those who have the address. */
                  share(isOn) {
                    const bytes = crypto.getRandomValues(new Uint8Array(16));
                    settings.screen = isOn ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
                    this.showScreen();
                  }

                  showScreen() {
                    const isOn = settings.screen !== "";
                    byId("set-screen").checked = isOn;
                    byId("screen-row").hidden = byId("screen-copy").hidden = !isOn;
                    // The name is secret enough to read along; the key would open the history.
                    const fragment = new URLSearchParams({ screen: settings.screen });
                    byId("screen-address").value = new URL(`overlay?size=48#${fragment}`, document.baseURI).href;
                  }
                }

                function fillSelect(id, names, value) {
                  const options = Object.entries(names).map(([code, name]) => make("option", { value: code, text: name() }));
                  byId(id).replaceChildren(...options);
                  byId(id).value = value;
                }

                """#,
            "js/settings.js": #"""
                // The settings of the page, kept in this browser alone.

                const KEPT = "steno.settings";

                const defaults = {
                  interface: "",
                  theme: "auto",
                  size: innerWidth < 600 ? 28 : 40,
                  face: "sans",
                  line: 1.4,
                  letters: 0,
                  words: 0,
                  // Null as long as nobody has chosen; empty is detected.
                  language: null,
                  quick: null,
                  device: "",
                  names: [],
                  noise: true,
                  alertSpeech: false,
                  vibrate: true,
                  announce: true,
                  shortcuts: true,
                  save: true,
                  speakers: true,
                  screen: "",
                  phrases: null,
                };

                function read() {
                  try {
                    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
                  } catch {
                    return {};
                  }
                }

                const target = { ...defaults, ...read() };
                const listeners = new Set();

                /** The settings; setting one keeps it and calls every listener with its name. */
                export const settings = new Proxy(target, {
                  set(object, name, value) {
                    object[name] = value;
                    try {
                      localStorage.setItem(KEPT, JSON.stringify(object));
                    } catch {
                      // Storage is full or forbidden: the setting lasts as long as the page.
                    }
                    for (const listener of listeners) listener(name);
                    return true;
                  },
                });

                export function onSetting(listener) {
                  listeners.add(listener);
                }

                /** Smallest and largest letters, in pixels. */
                export const SIZES = { min: 16, max: 160, step: 1.15 };

                export function resize(direction) {
                  const size = direction > 0 ? settings.size * SIZES.step : settings.size / SIZES.step;
                  settings.size = Math.round(Math.max(SIZES.min, Math.min(SIZES.max, size)));
                }

                """#,
            "js/shortcuts.js": #"""
                import { byId, make } from "./dom.js";
                import { t } from "./i18n.js";
                import { settings } from "./settings.js";

                /** Keys and the buttons that they press, with the texts for the list; they can be switched off (WCAG 2.2, 2.1.4). */
                const KEYS = [
                  ["s", "start", () => t("key.start")],
                  ["p", "pause", () => t("pause")],
                  ["+", "larger", () => t("size.larger")],
                  ["-", "smaller", () => t("size.smaller")],
                  ["l", "to-live", () => t("live")],
                  ["c", "copy", () => t("copy")],
                  ["e", "save", () => t("save")],
                  ["x", "clear", () => t("clear")],
                  ["f", "full", () => t("full")],
                  ["?", "help-open", () => t("help")],
                ];

                export function setUpShortcuts() {
                  document.addEventListener("keydown", (event) => {
                    // A key that is held down presses once; letters may grow with it.
                    if (event.repeat && !["+", "=", "-"].includes(event.key)) return;
                    if (!settings.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
                    if (event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
                    const id = KEYS.find(([key]) => key === event.key || (key === "+" && event.key === "="))?.[1];
                    const button = id && byId(id);
                    if (!button || button.disabled || button.hidden || !button.checkVisibility()) return;
                    event.preventDefault();
                    button.click();
                  });
                }

                /** Writes the list of the keys. */
                export function listKeys() {
                  const rows = KEYS.map(([key, , text]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text: text() })]);
                  byId("keys").replaceChildren(...rows.flat());
                }

                """#,
            "js/status.js": #"""
                import { t } from "./i18n.js";

                /** From so many seconds on the text counts as late. */
                const LATE = 2;

                /** The state in words, with the kind of its lamp; `announced` has no numbers that change all the time. */
                export function describe(captioner) {
                  const { phase, feed, hasSignal, behind } = captioner;
                  if (phase === "idle") return plain("idle", t("state.idle"));
                  if (phase === "starting") return plain("idle", t("state.starting"));
                  if (phase === "paused") return plain("paused", t("state.paused"));
                  if (feed.state === "waiting" || feed.state === "reconnecting") {
                    const text = t("state.reconnecting", { count: Math.round(feed.waiting) });
                    return { lamp: "trouble", text, announced: t("state.reconnecting.short") };
                  }
                  if (phase === "finishing") return plain("idle", t("state.finishing"));
                  if (feed.state === "connecting") return plain("idle", t("state.starting"));
                  if (!hasSignal) return plain("trouble", t("state.silent"));
                  if (behind >= LATE) {
                    const text = t("state.behind", { count: Math.round(behind) });
                    return { lamp: "listening", text, announced: t("state.listening") };
                  }
                  return plain("listening", t("state.listening"));
                }

                function plain(lamp, text) {
                  return { lamp, text, announced: text };
                }

                /** The words for a problem of the microphone or of the server. */
                export function problemText({ code, message }) {
                  switch (code) {
                    case "NotAllowedError":
                      return t("problem.denied");
                    case "SecurityError":
                      return t("problem.insecure");
                    case "NotFoundError":
                    case "OverconstrainedError":
                      return t("problem.missing");
                    case "NotReadableError":
                      return t("problem.used");
                    case "ended":
                      return t("problem.ended");
                    case "busy":
                    case "server_busy":
                      return t("problem.busy");
                    case "elsewhere":
                      return t("problem.elsewhere");
                    case "invalid_api_key":
                      return t("problem.key");
                    case "offline":
                      return t("problem.offline");
                    case "history_failed":
                      return t("problem.history");
                    case "session_not_found":
                      return t("problem.gone");
                    case "session_in_use":
                      return t("problem.recorded");
                    case "summary_failed":
                      return t("problem.summary");
                    default:
                      return t("problem.other", { message: message || String(code) });
                  }
                }

                """#,
            "js/tabs.js": #"""
                // Tabs, as the ARIA Authoring Practices describe them: arrows move, the panel follows.

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

                """#,
            "js/transcript.js": #"""
                /** A pause of so many seconds begins a paragraph. */
                const PAUSE = 2;
                /** A paragraph of so many characters ends with its sentence. */
                const LONG = 360;

                /** Whether a text ends with a sentence. */
                export function endsSentence(text) {
                  return /[.!?…。！？।؟]["”’»)\]]*\s*$/u.test(text);
                }

                /** The parts of a final segment that one speaker each has said; one part where nobody is named. */
                function bySpeaker(segment) {
                  const words = segment.words ?? [];
                  const whole = { ...segment, speaker: words.find((word) => word.speaker)?.speaker ?? segment.speaker ?? null };
                  if (words.map((word) => word.word).join("") !== segment.text) return [whole];
                  const parts = [];
                  for (const { word, start, end, speaker = null } of words) {
                    const last = parts.at(-1);
                    // A word of which nobody knows who said it goes with its neighbours.
                    if (last && (last.speaker === speaker || speaker === null || last.speaker === null)) {
                      last.text += word;
                      last.end = end;
                      last.speaker ??= speaker;
                    } else parts.push({ start, end, text: word, speaker });
                  }
                  if (parts.length < 2) return [whole];
                  parts[0].start = segment.start;
                  parts.at(-1).end = segment.end;
                  return parts;
                }

                /**
                 * The text so far: final segments, which never change, in paragraphs; and the volatile text after them.
                 *
                 * Times are seconds since the page began to listen. Who speaks may be corrected, where the server names speakers.
                 */
                export class Transcript {
                  constructor() {
                    this.clear();
                  }

                  clear() {
                    this.segments = [];
                    this.paragraphs = [];
                    this.partial = "";
                    this.partialStart = null;
                    this.sessionStart = 0;
                    /** The number of the last final segment of the session. */
                    this.lastId = -1;
                    this.isBroken = true;
                    this.hasUtteranceEnd = false;
                    /** Seconds of audio that are missing since the last final text. */
                    this.missing = 0;
                  }

                  get isEmpty() {
                    return this.segments.length === 0 && this.partial === "";
                  }

                  /** Where the final text ends, in seconds. */
                  get end() {
                    return this.segments.reduce((end, segment) => Math.max(end, segment.end), 0);
                  }

                  /** Takes an event of the server; returns the final segments that are new. */
                  apply(event, base) {
                    switch (event.type) {
                      case "begin":
                        this.sessionStart = this.segments.length;
                        this.lastId = -1;
                        this.setPartial([], base);
                        this.isBroken = true;
                        return [];
                      case "final":
                      case "snapshot": {
                        const finals = event.type === "final" ? (event.segments ?? [event]) : (event.finals ?? []);
                        const added = finals.flatMap((segment) => this.take(segment, base));
                        this.setPartial(event.partials ?? [], base);
                        return added;
                      }
                      case "partial":
                        this.setPartial(event.text ? (event.segments ?? [event]) : [], base);
                        return [];
                      case "utterance_end":
                        this.hasUtteranceEnd = true;
                        return [];
                      case "speakers":
                        this.correct(event.changes ?? [], base);
                        return [];
                      default:
                        return [];
                    }
                  }

                  /** A segment comes once, whether alone or within a snapshot. */
                  take(segment, base) {
                    if (segment.id !== undefined && segment.id <= this.lastId) return [];
                    this.lastId = segment.id ?? this.lastId;
                    return segment.text ? bySpeaker(segment).map((part) => this.add(part, base)) : [];
                  }

                  /** Adds a final segment, as one that was kept. */
                  add(part, base = 0) {
                    const { text, speaker = null } = part;
                    const { missing } = this;
                    const segment = { start: base + part.start, end: base + part.end, text, speaker, isBreak: false, missing };
                    const last = this.paragraphs.at(-1);
                    const pause = segment.start - (this.segments.at(-1)?.end ?? segment.start);
                    segment.isBreak = !last || this.isBroken || (this.hasUtteranceEnd && pause >= PAUSE)
                      || (last.text.length > LONG && endsSentence(last.text));
                    this.isBroken = this.hasUtteranceEnd = false;
                    this.missing = 0;
                    this.segments.push(segment);
                    this.addToParagraphs(segment);
                    return segment;
                  }

                  addToParagraphs(segment) {
                    const last = this.paragraphs.at(-1);
                    const { start, text, speaker, isBreak, missing } = segment;
                    const isOther = speaker !== null && last?.speaker !== speaker;
                    if (isBreak || isOther) this.paragraphs.push({ start, text: text.trimStart(), speaker, missing });
                    else last.text += text;
                  }

                  /** Other labels for what was said in this session. */
                  correct(changes, base) {
                    for (const { start, end, was, now } of changes) {
                      for (const segment of this.segments.slice(this.sessionStart)) {
                        const middle = (segment.start + segment.end) / 2 - base;
                        if (segment.speaker === was && start <= middle && middle < (end ?? Infinity)) segment.speaker = now;
                      }
                    }
                    this.paragraphs = [];
                    for (const segment of this.segments) this.addToParagraphs(segment);
                  }

                  /** Begins a new paragraph with the next text. */
                  breakHere() {
                    this.isBroken = true;
                  }

                  /** Audio is missing before the next text. */
                  loseHere(seconds) {
                    this.missing += seconds;
                    this.breakHere();
                  }

                  /** Makes the volatile text final as it is, where nothing will come in its place; returns the new segments. */
                  settle() {
                    const text = this.partial;
                    if (!text) return [];
                    const start = this.partialStart ?? this.end;
                    this.setPartial([], 0);
                    return [this.add({ start, end: Math.max(start, this.end) + 1, text })];
                  }

                  setPartial(parts, base) {
                    this.partial = parts.map((part) => part.text).join("");
                    this.partialStart = parts.length > 0 ? base + parts[0].start : null;
                  }

                  /** Whether the volatile text begins a paragraph. */
                  get partialIsNewParagraph() {
                    if (this.paragraphs.length === 0 || this.isBroken) return true;
                    const pause = (this.partialStart ?? 0) - (this.segments.at(-1)?.end ?? 0);
                    const last = this.paragraphs.at(-1);
                    return (this.hasUtteranceEnd && pause >= PAUSE) || (last.text.length > LONG && endsSentence(last.text));
                  }

                  /** Who speaks a paragraph, where that is somebody else than in the one before. */
                  newSpeaker(index) {
                    const { speaker } = this.paragraphs[index];
                    return speaker !== (this.paragraphs[index - 1]?.speaker ?? null) ? speaker : null;
                  }

                  /** All of the text, a paragraph a line. @param name Gives the name of a speaker for people. */
                  text(name) {
                    const lines = this.paragraphs.map((paragraph, index) => {
                      const speaker = this.newSpeaker(index);
                      return (speaker ? `${name(speaker)}: ` : "") + paragraph.text.trim();
                    });
                    if (this.partial) {
                      if (this.partialIsNewParagraph) lines.push(this.partial.trim());
                      else lines[lines.length - 1] += this.partial;
                    }
                    return lines.join("\n");
                  }
                }

                """#,
            "js/watch.js": #"""
                import { isRefusal, openSocket, whyRefused } from "./access.js";

                const PAUSE = 2000;
                /** A screen asks so often whether the connection is still there, and takes it for lost after three times, in milliseconds. */
                const HEARTBEAT = 10000;

                /** Reads the text of another page's session, of which it knows the screen's name; connects again for ever. */
                export class Watch {
                  /**
                   * @param handlers `event(event)`, `change(isThere)` when the server is there or not any more, and `problem(error)`,
                   *   after which it does not try again.
                   */
                  constructor(screen, handlers) {
                    this.screen = screen;
                    this.handlers = handlers;
                    this.connect();
                    setInterval(() => this.check(), HEARTBEAT);
                  }

                  connect() {
                    let socket;
                    try {
                      socket = openSocket("v1/steno/live");
                    } catch {
                      // A key with signs that browsers give to no socket.
                      return this.handlers.problem({ code: "invalid_api_key" });
                    }
                    this.socket = socket;
                    this.heard = performance.now();
                    let problem = null;
                    socket.onopen = () => socket.send(JSON.stringify({ type: "watch", screen: this.screen }));
                    socket.onmessage = (message) => {
                      const event = JSON.parse(message.data);
                      this.heard = performance.now();
                      if (event.type === "watching") this.set(true);
                      if (event.type === "error" && event.sequence === undefined) problem = event;
                      else if (event.type !== "pong") this.handlers.event(event);
                    };
                    socket.onclose = ({ code }) => this.lost(code, problem);
                  }

                  async lost(code, problem) {
                    this.socket = null;
                    // A page that is not listening now may do so later.
                    const mayCome = problem?.code === "screen_not_found";
                    this.set(mayCome);
                    const error = isRefusal(code) && !mayCome ? (problem ?? { code }) : await whyRefused();
                    if (error) return this.handlers.problem(error);
                    setTimeout(() => this.connect(), PAUSE);
                  }

                  set(isThere) {
                    if (this.isThere === isThere) return;
                    this.isThere = isThere;
                    this.handlers.change(isThere);
                  }

                  /** A network that is gone ends no connection: nobody would notice. */
                  check() {
                    const { socket } = this;
                    if (!socket) return;
                    if (performance.now() - this.heard > 3 * HEARTBEAT) {
                      socket.onopen = socket.onmessage = socket.onclose = null;
                      socket.close();
                      this.lost(0, null);
                    } else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
                  }
                }

                """#,
            "js/wav.js": #"""
                import { RATE } from "./ring.js";

                /** A WAV file of 16-bit samples at 16 kHz. */
                export function wav(blocks) {
                  const count = blocks.reduce((sum, block) => sum + block.length, 0);
                  const head = new DataView(new ArrayBuffer(44));
                  const text = (at, letters) => [...letters].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
                  text(0, "RIFF");
                  head.setUint32(4, 36 + 2 * count, true);
                  text(8, "WAVEfmt ");
                  head.setUint32(16, 16, true);
                  head.setUint16(20, 1, true);
                  head.setUint16(22, 1, true);
                  head.setUint32(24, RATE, true);
                  head.setUint32(28, 2 * RATE, true);
                  head.setUint16(32, 2, true);
                  head.setUint16(34, 16, true);
                  text(36, "data");
                  head.setUint32(40, 2 * count, true);
                  return new Blob([head, ...blocks], { type: "audio/wav" });
                }

                """#,
            "js/worklet.js": #"""
                // Runs on the audio thread: mixes down, converts to 16 kHz, and sends blocks of 16-bit samples to the page.

                const RATE = 16000;
                /** Samples of a block: 50 ms, so that a word does not wait for its block. */
                const BLOCK = 800;
                /** Zero crossings on each side of the windowed sinc. */
                const CROSSINGS = 16;

                function divisor(a, b) {
                  return b === 0 ? a : divisor(b, a % b);
                }

                /** Converts to 16 kHz by a windowed sinc (Smith, "Digital Audio Resampling", 2002), a filter for each phase. */
                class Resampler {
                  constructor(rate) {
                    const common = divisor(rate, RATE);
                    this.up = RATE / common;
                    this.down = rate / common;
                    this.cutoff = Math.min(1, RATE / rate);
                    this.reach = Math.ceil(CROSSINGS / this.cutoff);
                    this.filters = [];
                    for (let phase = 0; phase < this.up; phase++) this.filters.push(this.filter(phase / this.up));
                    this.past = new Float32Array(2 * this.reach);
                    this.phase = 0;
                    this.next = 0;
                  }

                  filter(offset) {
                    const taps = new Float32Array(2 * this.reach);
                    let sum = 0;
                    for (let i = 0; i < taps.length; i++) {
                      const x = i - this.reach + 1 - offset;
                      const angle = Math.PI * x * this.cutoff;
                      const sinc = Math.abs(angle) < 1e-9 ? 1 : Math.sin(angle) / angle;
                      const window = Math.cos((Math.PI * x) / (2 * this.reach)) ** 2;
                      taps[i] = Math.abs(x) < this.reach ? sinc * window : 0;
                      sum += taps[i];
                    }
                    return taps.map((tap) => tap / sum);
                  }

                  convert(input, take) {
                    const all = new Float32Array(this.past.length + input.length);
                    all.set(this.past);
                    all.set(input, this.past.length);
                    while (this.next + 2 * this.reach <= all.length) {
                      const taps = this.filters[this.phase];
                      let sample = 0;
                      for (let i = 0; i < taps.length; i++) sample += taps[i] * all[this.next + i];
                      take(sample);
                      this.phase += this.down;
                      this.next += Math.floor(this.phase / this.up);
                      this.phase %= this.up;
                    }
                    this.past = all.slice(input.length);
                    this.next -= input.length;
                  }
                }

                class Capture extends AudioWorkletProcessor {
                  constructor() {
                    super();
                    this.resampler = new Resampler(sampleRate);
                    this.block = new Int16Array(BLOCK);
                    this.filled = 0;
                    this.energy = 0;
                    this.peak = 0;
                  }

                  process([channels]) {
                    if (channels.length === 0) return true;
                    const mono = new Float32Array(channels[0].length);
                    for (const channel of channels) {
                      for (let i = 0; i < mono.length; i++) mono[i] += channel[i] / channels.length;
                    }
                    this.resampler.convert(mono, (sample) => this.take(sample));
                    return true;
                  }

                  take(sample) {
                    this.energy += sample * sample;
                    this.peak = Math.max(this.peak, Math.abs(sample));
                    this.block[this.filled++] = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
                    if (this.filled < BLOCK) return;
                    const samples = this.block;
                    this.port.postMessage({ samples, rms: Math.sqrt(this.energy / BLOCK), peak: this.peak }, [samples.buffer]);
                    this.block = new Int16Array(BLOCK);
                    this.filled = this.energy = this.peak = 0;
                  }
                }

                registerProcessor("capture", Capture);

                """#,
            "js/write-view.js": #"""
                import { toggleFullScreen } from "./dialogs.js";
                import { byId } from "./dom.js";
                import { keepFitting } from "./fit.js";
                import { t } from "./i18n.js";
                import { keepPhrase, showPhrases } from "./phrases.js";
                import { say } from "./say.js";

                /** Write, and show it in the largest letters that fit, or speak it. */
                export class WriteView {
                  /** @param hold Called with true while the page speaks. */
                  constructor(hold) {
                    this.hold = hold;
                    this.fit = keepFitting(byId("show-text"));
                    byId("write-text").addEventListener("input", () => this.show());
                    byId("write-full").addEventListener("click", () => toggleFullScreen(byId("show")));
                    byId("show").addEventListener("click", () => toggleFullScreen(byId("show")));
                    byId("write-say").addEventListener("click", () => say(this.text, this.hold));
                    byId("write-turn").addEventListener("click", () => this.turn());
                    byId("write-clear").addEventListener("click", () => this.set(""));
                    byId("write-keep").addEventListener("click", () => {
                      keepPhrase(this.text);
                      this.listPhrases();
                    });
                    addEventListener("localechange", () => {
                      this.listPhrases();
                      this.show();
                    });
                    this.listPhrases();
                    this.show();
                  }

                  get text() {
                    return byId("write-text").value;
                  }

                  set(text) {
                    byId("write-text").value = text;
                    this.show();
                  }

                  show() {
                    byId("show-text").textContent = this.text || t("write.empty");
                    this.fit();
                  }

                  turn() {
                    const isTurned = byId("show").classList.toggle("turned");
                    byId("write-turn").setAttribute("aria-pressed", isTurned);
                  }

                  listPhrases() {
                    showPhrases((phrase) => this.set(phrase));
                  }
                }

                """#,
        ]
    }
#endif
