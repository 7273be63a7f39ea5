import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

export interface RowRange {
  first: number;
  /** Exclusive. */
  end: number;
}

export const OVERSCAN = 5;

/** Which rows of one height are in sight, and a few around them. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, headHeight = 0 }: { count: number; rowHeight: number; headHeight?: number },
): RowRange & { visible: number } {
  const [position, setPosition] = useState({ first: 0, visible: 30 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight));
      const visible = Math.max(1, Math.ceil((element.clientHeight - headHeight) / rowHeight));
      setPosition((before) =>
        before.first === first && before.visible === visible ? before : { first, visible },
      );
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [scroller, rowHeight, headHeight]);
  const first = Math.max(0, Math.min(position.first, count - 1) - OVERSCAN);
  return {
    first,
    end: Math.min(count, position.first + position.visible + OVERSCAN),
    visible: position.visible,
  };
}

/** Whether a media query holds, as it changes. */
export function useMediaQuery(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setHolds(list.matches);
    follow();
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, [query]);
  return holds;
}

/** How wide an element is, as it changes. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
