import { make } from "./dom.js";
import { clock, speakerName, t } from "./i18n.js";

/** The speakers of a segment, in order: the one set by hand, or else those of its words. */
function speakersOf(segment) {
  if (segment.speaker) return [segment.speaker];
  const named = (segment.words ?? []).map((word) => word.speaker).filter(Boolean);
  // In edited text it is unknown where the speaker changes.
  return isEdited(segment) ? named.slice(0, 1) : named;
}

function isEdited(segment) {
  return segment.editedText !== undefined && segment.editedText !== null;
}

function label(speaker) {
  return make("strong", { class: "speaker", dir: "auto", text: speakerName(speaker) });
}

/**
 * A transcript with playback: the spoken word is marked, and a click on a word plays from there.
 *
 * @param segments Objects with `id`, `start`, `text` and `words` (`start`, `end`, `word`, `speaker`); the `speaker` of
 *   a segment applies to all of its words.
 */
export class Player {
  /**
   * @param onEdit Called with a segment and its new text, or null for the recognised text; returns the changed fields, or
   *   null on failure. Without it, the text cannot be edited.
   * @param fetch Gets the audio on the first playback; without it, call `load` if there is audio.
   */
  constructor(segments, { onEdit, fetch } = {}) {
    this.onEdit = onEdit;
    this.fetch = fetch;
    this.words = [];
    let speaker = null;
    for (const segment of segments) {
      const speakers = speakersOf(segment);
      // Label only changes of speaker.
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

  /** Plays from a time. While the audio is loading, the latest call counts. */
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
    // Browsers may block playback without a click; the audio element's own button still works.
    this.audio.play().catch(() => {});
  }

  /** Scrolls to a segment and focuses it. */
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

  /** Restores the recognised text. */
  async undo(node, segment) { if (await this.change(segment, null)) this.refill(node, segment); }

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
      // A word without a speaker belongs with its neighbours.
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
      // The editor stays open if saving fails, so that no text is lost.
      if (isKept) close();
    });
  }

  // Marking the spoken word

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
