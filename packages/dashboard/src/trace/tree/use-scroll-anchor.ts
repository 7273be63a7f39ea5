import { type RefObject, useLayoutEffect, useRef } from "react";
import type { TreeRow } from "../model/flatten-rows.ts";

interface AnchorOptions {
  rows: TreeRow[];
  indexByKey: ReadonlyMap<string, number>;
  rowHeight: number;
  active: number;
}

/**
 * Keeps one row at its screen position when rows are added or removed: the row under the pointer, else the selected row
 * if visible, else the first visible row.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  { rows, indexByKey, rowHeight, active }: AnchorOptions,
) {
  const previous = useRef({ rows, rowHeight, active });
  const pointerY = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onMove = (event: PointerEvent) => {
      pointerY.current = event.pointerType === "mouse" ? event.clientY : null;
    };
    const onLeave = () => {
      pointerY.current = null;
    };
    element.addEventListener("pointermove", onMove, { passive: true });
    element.addEventListener("pointerleave", onLeave);
    return () => {
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("pointerleave", onLeave);
    };
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const last = previous.current;
    previous.current = { rows, rowHeight, active };
    if (!element || last.rows === rows || last.rowHeight !== rowHeight) return;
    const { scrollTop } = element;
    const headerBottom = element.firstElementChild?.getBoundingClientRect().bottom ?? 0;
    const underPointer =
      pointerY.current === null || pointerY.current < headerBottom
        ? -1
        : Math.floor((scrollTop + pointerY.current - headerBottom) / rowHeight);
    const isVisible = (index: number) =>
      (index + 1) * rowHeight > scrollTop && index * rowHeight < scrollTop + element.clientHeight;
    const candidates = [
      underPointer,
      isVisible(last.active) ? last.active : -1,
      Math.floor(scrollTop / rowHeight),
    ];
    for (const index of candidates) {
      const key = last.rows[index]?.item.key;
      const newIndex = key === undefined ? undefined : indexByKey.get(key);
      if (newIndex === undefined) continue;
      // Set only if it differs: an assignment would stop a smooth scroll in progress.
      if (newIndex !== index) element.scrollTop = scrollTop + (newIndex - index) * rowHeight;
      return;
    }
  }, [scroller, rows, indexByKey, rowHeight, active]);
}
