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
