/**
 * Runs in the page. What is wrong with its layout: it scrolls sideways, texts overlap, a control is clipped where nothing scrolls,
 * or a name is cut at less than `minNameWidth`.
 */
export async function layoutFaults(minNameWidth: number): Promise<string[]> {
  const TOLERANCE_PX = 2;
  const MAX_FAULTS = 5;
  const CONTROLS = "button, a[href], input, select, textarea, summary, [role=tab], [role=radio]";
  const NAMES = "[data-row], [data-name]";
  const faults: string[] = [];
  const words = (text: string | null) => `“${(text ?? "").replace(/\s+/g, " ").trim().slice(0, 60)}”`;

  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  const intersect = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isLarge = ({ left, right, top, bottom }: Box) =>
    right - left > TOLERANCE_PX && bottom - top > TOLERANCE_PX;

  /** What is left of a box when its ancestors have clipped it. */
  function visibleBox(box: Box, from: Element | null): Box {
    let visible = box;
    for (let element = from; element && isLarge(visible); element = element.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(element);
      if (overflowX !== "visible" || overflowY !== "visible" || clipPath !== "none")
        visible = intersect(visible, element.getBoundingClientRect());
      if (position === "fixed") break;
    }
    return visible;
  }

  /** What stays in place while other parts of the page scroll below it. */
  const layerOf = (from: Element | null): Element | null => {
    for (let element = from; element; element = element.parentElement) {
      const { position, zIndex } = getComputedStyle(element);
      if (position === "fixed" || position === "sticky" || (position === "absolute" && zIndex !== "auto"))
        return element;
    }
    return null;
  };

  function overlaps(): string[] {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: { node: Node; box: Box; layer: Element | null }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.textContent?.trim() || parent.closest("svg, canvas, select, script, style"))
        continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = visibleBox(rect, parent);
        if (isLarge(box)) texts.push({ node, box, layer: layerOf(parent) });
      }
    }
    texts.sort((a, b) => a.box.top - b.box.top);
    const found: string[] = [];
    for (const [index, one] of texts.entries())
      for (let at = index + 1; at < texts.length; at++) {
        const other = texts[at];
        if (!other || other.box.top >= one.box.bottom) break;
        // A text that ends in dots has a second box, without them.
        if (other.node === one.node || other.layer !== one.layer) continue;
        if (isLarge(intersect(one.box, other.box)))
          found.push(`${words(one.node.textContent)} and ${words(other.node.textContent)} overlap`);
      }
    return found;
  }

  function clippedControls(): string[] {
    const found: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
      const box = control.getBoundingClientRect();
      if (!isLarge(box) || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      let [scrollsX, scrollsY, isCutWithDots] = [false, false, false];
      for (let parent = control.parentElement; parent; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        const clip = parent.getBoundingClientRect();
        // A text that ends in dots says itself that it goes on.
        isCutWithDots = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        if (isCutWithDots) break;
        scrollsX ||= ["auto", "scroll"].includes(style.overflowX);
        scrollsY ||= ["auto", "scroll"].includes(style.overflowY);
        const isHidden = (overflow: string) => overflow === "hidden" || overflow === "clip";
        const isOutsideX = box.left < clip.left - TOLERANCE_PX || box.right > clip.right + TOLERANCE_PX;
        const isOutsideY = box.top < clip.top - TOLERANCE_PX || box.bottom > clip.bottom + TOLERANCE_PX;
        if (
          (isHidden(style.overflowX) && !scrollsX && isOutsideX) ||
          (isHidden(style.overflowY) && !scrollsY && isOutsideY)
        ) {
          found.push(`${words(control.ariaLabel ?? control.textContent)} is clipped`);
          break;
        }
        if (style.position === "fixed") break;
      }
      if (!scrollsX && !isCutWithDots && (box.left < -TOLERANCE_PX || box.right > innerWidth + TOLERANCE_PX))
        found.push(`${words(control.ariaLabel ?? control.textContent)} is outside of the window`);
    }
    return found;
  }

  function cutNames(): string[] {
    return [...document.querySelectorAll<HTMLElement>(NAMES)]
      .filter((name) => name.checkVisibility() && name.scrollWidth > name.clientWidth + 1)
      .filter((name) => name.clientWidth < minNameWidth)
      .map((name) => `${words(name.textContent)} is cut at ${name.clientWidth} px`);
  }

  // Charts, and what depends on a media query, are drawn after the frame in which the size changed.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`scrolls sideways by ${scrollWidth - clientWidth} px`);
  for (const found of [overlaps(), clippedControls(), cutNames()])
    faults.push(...[...new Set(found)].slice(0, MAX_FAULTS));
  return faults;
}
