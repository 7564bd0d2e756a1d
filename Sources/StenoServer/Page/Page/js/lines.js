import { make } from "./dom.js";
import { speakerName, t } from "./i18n.js";

/** The number of paragraphs kept in the page; earlier ones are only in the transcript. */
const SHOWN = 120;

export function gapText(seconds) { return t("gap", { count: Math.ceil(seconds) }); }

/** Shows a transcript in an element, with the volatile text marked. Finished paragraphs are never touched. */
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
    /** The notice for audio missing after the last paragraph. */
    this.gap = make("p", { class: "gap" });
  }

  /** Makes the next rendering replace everything shown, for example after labels have changed. */
  again() {
    const { first } = this;
    this.reset();
    this.first = Math.max(0, Math.min(first, this.transcript.paragraphs.length - 1));
  }

  get hasEarlier() { return this.first > 0; }

  /** @param canTrim Whether early paragraphs may be removed from the page. */
  render(canTrim) {
    const { paragraphs, partial, partialIsNewParagraph, missing } = this.transcript;
    this.closeOpenNode();
    this.gap.remove();
    if (paragraphs.length < this.first + this.nodes.length) this.reset();
    // The last paragraph shown may have grown before others followed it.
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
      // The space before it is not marked as volatile.
      else if (text !== partial) this.space.nodeValue = partial.slice(0, partial.length - text.length);
      const before = partialIsNewParagraph || text === partial ? [] : [this.space];
      this.nodes.at(-1).element.append(...before, this.volatile);
    }
    if (canTrim && this.nodes.length > SHOWN + 20) this.trim();
  }

  /** The element of a paragraph, with the speaker's name if the speaker changes, after a notice if audio is missing. */
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

  /** Adds a paragraph for volatile text only. */
  open() {
    const said = document.createTextNode("");
    const element = make("p", { dir: "auto" }, said);
    this.openNode = { element, said, elements: [element] };
    this.append(this.openNode);
  }

  /** Removes that paragraph; the next rendering adds it again if necessary. */
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

  showEarlier() {
    const start = Math.max(0, this.first - SHOWN);
    const nodes = [];
    for (let i = start; i < this.first; i++) nodes.push(this.paragraph(i));
    this.container.prepend(...nodes.flatMap((node) => node.elements));
    this.nodes.unshift(...nodes);
    this.first = start;
  }
}
