/** Sets the largest font size at which an element fits into its parent without breaking words. */
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

/** Fits an element whenever its parent changes size; returns a function that fits it at once. */
export function keepFitting(element) {
  new ResizeObserver(() => fit(element)).observe(element.parentElement);
  return () => fit(element);
}
