import type { Page } from "playwright-core";

const MAX_TABS = 500;
/** How often the page is asked whether the focus has left it. */
const TABS_A_ROUND = 8;
const OUTSIDE = "the edge of the window";

/**
 * Presses Tab until the focus has left the page. Returns what is wrong on the way: a control that Tab does not reach, a
 * focus that cannot be seen, or one that does not get away.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  const faults = await walkWithTab(page, { isPaced: false });
  // The browser scrolls to the focus within a frame, and a busy machine presses the next key before that.
  return faults.some((fault) => fault.endsWith(OUTSIDE)) ? walkWithTab(page, { isPaced: true }) : faults;
}

async function walkWithTab(page: Page, { isPaced }: { isPaced: boolean }): Promise<string[]> {
  const walk = await page.evaluateHandle(watchTab, OUTSIDE);
  for (let pressed = 0; pressed < MAX_TABS; pressed += 1) {
    if (pressed % TABS_A_ROUND === 0 && (await walk.evaluate((one) => one.hasLeft()))) break;
    await page.keyboard.press("Tab");
    if (isPaced) await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  return walk.evaluate((one) => one.faults());
}

/** Runs in the page. Looks at the element with the focus whenever Tab is about to move it on. */
function watchTab(outside: string) {
  const CONTROLS =
    "a[href], button, input, select, textarea, summary, [tabindex], [role=button], [role=link], [role=checkbox], [role=switch]";
  /** Arrow keys move inside of these, and of the lists that charts are: Tab reaches only the one element that was used last. */
  const GROUPS =
    "[role=tablist], [role=radiogroup], [role=toolbar], [role=group], [role=menu], [role=listbox], [role=tree], [role=treegrid], [role=grid], ul[aria-label]:has([data-mark])";
  /** The focus may be shown by an element around the one that has it, up to its row. */
  const FRAMES = 4;

  const reached = new Set<Element>();
  /** A field for a date has a stop for each of its parts, and shows the focus for one of them at least. */
  const shown = new Set<Element>();
  const faults = new Set<string>();
  const names = new Map<Element, string>();

  const nameOf = (element: Element) => {
    const text = element.getAttribute("aria-label") ?? (element.textContent || element.id);
    return `${element.tagName.toLowerCase()} “${text.replace(/\s+/g, " ").trim().slice(0, 60)}”`;
  };
  const isVisible = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const opacityOf = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1;
  const outlineOf = (element: Element, part: string | null) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element, part);
    return `${outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`}/${boxShadow}`;
  };
  /** The link of a row or a card may show its focus around all of that. */
  const focusStyleOf = (element: Element) => outlineOf(element, null) + outlineOf(element, "::after");
  const framesOf = (element: Element): Element[] => {
    const frames: Element[] = [];
    for (let at: Element | null = element; at && frames.length < FRAMES; at = at.parentElement)
      frames.push(at);
    return frames;
  };

  function look(focused: Element): void {
    reached.add(focused);
    const frames = framesOf(focused);
    const isShown = frames.some((frame) => {
      const { width, height } = frame.getBoundingClientRect();
      const style = focusStyleOf(frame);
      return (
        Math.max(width, height) > 4 &&
        opacityOf(frame) > 0.5 &&
        style !== "/none/none" &&
        style !== unfocused.get(frame)
      );
    });
    if (isShown) shown.add(focused);
    const { left, top, width, height } = focused.getClientRects()[0] ?? focused.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!frames.some((frame) => over && (frame.contains(over) || over.contains(frame))))
      faults.add(`${nameOf(focused)} is covered by ${over ? nameOf(over) : outside}`);
  }

  const isReached = (element: Element): boolean => {
    if (element instanceof HTMLInputElement && element.type === "radio")
      return [...reached].some((one) => one instanceof HTMLInputElement && one.name === element.name);
    const group = element.closest(GROUPS);
    return [...reached].some((one) => one === element || group?.contains(one));
  };

  /** An open modal dialog keeps the focus. */
  const walked = document.querySelector(":modal") ?? document;
  const isWalked = (element: Element) =>
    // What moves the focus by a script, as a heading or a list does, is no control.
    (element.matches(":not([tabindex='-1'])") || element.matches("a, button, input, select, textarea")) &&
    !element.matches(":disabled, [aria-disabled=true], [inert] *") &&
    isVisible(element);

  const { activeElement } = document;
  const unfocused = new Map<Element, string>();
  if (activeElement instanceof HTMLElement) activeElement.blur();
  for (const element of document.querySelectorAll("*")) unfocused.set(element, focusStyleOf(element));
  const controls = [...walked.querySelectorAll(CONTROLS)].filter(isWalked);
  for (const control of controls) names.set(control, nameOf(control));
  // A page that starts with its focus in a field is walked to its end, and then from its beginning.
  let rounds = activeElement && activeElement !== document.body ? 2 : 1;
  let isStarted = false;
  const step = () => {
    const focused = document.activeElement;
    if (focused && focused !== document.body) look(focused);
    else if (isStarted) rounds -= 1;
    isStarted = true;
  };
  addEventListener("keydown", (event) => event.key === "Tab" && rounds > 0 && step(), { capture: true });

  return {
    hasLeft: () => rounds <= 0,
    faults: () => {
      if (rounds > 0) faults.add(`the focus stays at ${nameOf(document.activeElement ?? document.body)}`);
      for (const element of reached)
        if (!shown.has(element)) faults.add(`${nameOf(element)} does not show the focus`);
      if (controls.length === 0) faults.add("there is nothing to reach");
      for (const control of controls)
        if (control.isConnected && isWalked(control) && !isReached(control))
          faults.add(`${names.get(control)} is not reached`);
      return [...faults];
    },
  };
}
