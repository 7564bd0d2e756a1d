/** Keeps the end of a scrolling element in view until the reader scrolls away from it. */
export class Follow {
  /** @param onChange Called when following starts or stops. */
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
    // The event of our own scrolling may come after more text was added.
    if (this.isOn && Math.abs(this.element.scrollTop - this.own) < 2) return;
    this.set(this.isAtEnd);
  }

  /** Scrolls to the end, if following. */
  keep() {
    if (!this.isOn) return;
    this.element.scrollTop = this.element.scrollHeight;
    this.own = this.element.scrollTop;
  }

  /** Scrolls to the end and follows it again. */
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
