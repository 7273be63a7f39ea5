import { type RefObject, useLayoutEffect, useState } from "react";

interface RowRange {
  first: number;
  /** Exclusive. */
  end: number;
}

export const OVERSCAN = 5;

/** The range of equally high rows that are visible in a scroller, plus `OVERSCAN` rows on each side. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, headerHeight = 0 }: { count: number; rowHeight: number; headerHeight?: number },
): RowRange & { visible: number } {
  const [position, setPosition] = useState({ first: 0, visible: 30 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight));
      const visible = Math.max(1, Math.ceil((element.clientHeight - headerHeight) / rowHeight));
      setPosition((previous) =>
        previous.first === first && previous.visible === visible ? previous : { first, visible },
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
  }, [scroller, rowHeight, headerHeight]);
  const first = Math.max(0, Math.min(position.first, count - 1) - OVERSCAN);
  return {
    first,
    end: Math.min(count, position.first + position.visible + OVERSCAN),
    visible: position.visible,
  };
}
