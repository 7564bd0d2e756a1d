import { make } from "./dom.js";
import { t } from "./i18n.js";

/** So many paragraphs stand in the page; the earlier ones are kept as text. */
const SHOWN = 120;

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
    this.space = document.createTextNode(" ");
    this.volatile = make("span", { class: "volatile" });
  }

  get hasEarlier() {
    return this.first > 0;
  }

  /** Brings the element up to date. @param canTrim Whether early paragraphs may leave it. */
  render(canTrim) {
    const { paragraphs, partial, partialIsNewParagraph } = this.transcript;
    this.closeOpenNode();
    if (paragraphs.length < this.first + this.nodes.length) this.reset();
    for (let i = this.first + this.nodes.length; i < paragraphs.length; i++) this.append(paragraphs[i]);
    const last = paragraphs.at(-1);
    if (last && this.nodes.length > 0) {
      const text = this.nodes.at(-1).firstChild;
      if (text.nodeValue !== last.text) text.nodeValue = last.text;
    }
    this.volatile.remove();
    this.space.remove();
    if (partial) {
      const text = partial.trimStart();
      this.volatile.textContent = text;
      if (partialIsNewParagraph) this.append({ text: "" }, true);
      // The space before it is not marked.
      else if (text !== partial) this.space.nodeValue = partial.slice(0, partial.length - text.length);
      this.nodes.at(-1).append(...(partialIsNewParagraph || text === partial ? [] : [this.space]), this.volatile);
    }
    if (canTrim && this.nodes.length > SHOWN + 20) this.trim();
  }

  append(paragraph, isOpen = false) {
    const node = make("p", { dir: "auto" });
    node.append(document.createTextNode(paragraph.text));
    this.nodes.push(node);
    this.container.append(node);
    if (isOpen) this.openNode = node;
  }

  /** A paragraph that had volatile text alone becomes the next paragraph. */
  closeOpenNode() {
    if (!this.openNode) return;
    this.nodes.pop().remove();
    this.openNode = null;
  }

  trim() {
    const count = this.nodes.length - SHOWN;
    this.nodes.splice(0, count);
    this.first += count;
    while (this.container.firstChild !== this.nodes[0]) this.container.firstChild.remove();
  }

  /** Shows more of what came before. */
  showEarlier() {
    const count = Math.min(SHOWN, this.first);
    const nodes = this.transcript.paragraphs.slice(this.first - count, this.first).map((paragraph) => {
      return make("p", { dir: "auto", text: paragraph.text });
    });
    this.container.prepend(...nodes);
    this.nodes.unshift(...nodes);
    this.first -= count;
  }

  /** Says where audio is missing. */
  addGap(seconds) {
    this.container.append(make("p", { class: "gap", text: t("gap", { count: Math.round(seconds) }) }));
  }
}
