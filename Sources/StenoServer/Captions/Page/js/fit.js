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
