const MARGIN_PX = 8;

/** Shifts a panel that would overflow the right edge to the left. */
export function keepInViewport(panel: HTMLElement) {
  const overflowPx = panel.getBoundingClientRect().right - (document.documentElement.clientWidth - MARGIN_PX);
  if (overflowPx > 0) panel.style.transform = `translateX(${-overflowPx}px)`;
}
