import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { callPayloadWorker } from "./payload-client.ts";
import type { Payload } from "./use-payload.ts";

export const LINE_HEIGHT_PX = 20;
/** Lines above a match that stay visible. */
const MARGIN_PX = 60;

interface DocumentSearch {
  text: string;
  /** Null while the worker counts. */
  count: number | null;
  /** The current match, from 0; -1 if there is none. */
  at: number;
}

/** Searches an open payload. `pageText` is what the page searches for; the user can search for another text here. */
export function useDocumentSearch(
  { doc, state, setState, fail }: Payload,
  pageText: string,
  scroller: RefObject<HTMLElement | null>,
) {
  const [search, setSearch] = useState<DocumentSearch>({ text: pageText, count: null, at: -1 });
  const [shownPageText, setShownPageText] = useState(pageText);
  if (shownPageText !== pageText) {
    setShownPageText(pageText);
    setSearch({ text: pageText, count: null, at: -1 });
  }
  const { text } = search;
  const isOpen = state !== null;
  const revision = state?.revision;
  const countPromise = useRef(Promise.resolve(0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value has other matches
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    countPromise.current = callPayloadWorker("search", { doc, text }).catch(() => 0);
    void countPromise.current.then((count) => isCurrent && setSearch({ text, count, at: -1 }));
    return () => {
      isCurrent = false;
    };
  }, [doc, isOpen, revision, text]);
  const goTo = useCallback(
    async (index: number | null) => {
      const matchIndex = index ?? -1;
      setSearch((now) => ({ ...now, at: matchIndex }));
      const { line, ...next } = await callPayloadWorker("reveal", { doc, matchIndex });
      // The lines have to be there before the payload can be scrolled to one of them.
      flushSync(() => setState(next));
      if (index !== null && scroller.current) scrollToLine(scroller.current, line);
    },
    [doc, setState, scroller],
  );
  /** The user may press Enter before the count has arrived. */
  const step = async (direction: 1 | -1) => {
    const count = await countPromise.current;
    if (count === 0) return;
    const next = search.at < 0 ? (direction === 1 ? 0 : count - 1) : (search.at + direction + count) % count;
    await goTo(next);
  };
  return {
    ...search,
    setText: (next: string) => setSearch({ text: next, count: null, at: -1 }),
    goTo: (index: number | null) => void goTo(index).catch(fail),
    step: (direction: 1 | -1) => void step(direction).catch(fail),
  };
}

/** How long other parts of the page may load, and move the line. */
const LOADING_MS = 10_000;
const LOOK_INTERVAL_MS = 200;
let stopKeeping = () => {};

/** Scrolls the payload and, if needed, what is around it; again while the page loads, until the user does something. */
function scrollToLine(scroller: HTMLElement, line: number) {
  stopKeeping();
  scroller.scrollTop = Math.max(0, line * LINE_HEIGHT_PX - MARGIN_PX);
  const panel = scroller.closest<HTMLElement>("[role=tabpanel]");
  if (!panel) return;
  const endsAt = performance.now() + LOADING_MS;
  const acted = new AbortController();
  const timer = setInterval(() => {
    if (performance.now() > endsAt) stopKeeping();
    else scroller.querySelector("[data-current]")?.scrollIntoView({ block: "nearest" });
  }, LOOK_INTERVAL_MS);
  stopKeeping = () => {
    acted.abort();
    clearInterval(timer);
  };
  for (const event of ["wheel", "pointerdown", "keydown"])
    addEventListener(event, stopKeeping, { signal: acted.signal, passive: true });
  const top = scroller.getBoundingClientRect().top + line * LINE_HEIGHT_PX - scroller.scrollTop;
  const { top: panelTop, bottom: panelBottom, height } = panel.getBoundingClientRect();
  const isVisible = top > panelTop + MARGIN_PX && top + 2 * LINE_HEIGHT_PX < panelBottom;
  if (!isVisible) panel.scrollTop += top - panelTop - height / 3;
}
