import { type RefObject, useLayoutEffect, useRef } from "react";
import type { TreeRow } from "../model/flatten-rows.ts";

interface AnchorOptions {
  rows: TreeRow[];
  indexByKey: ReadonlyMap<string, number>;
  rowHeight: number;
  active: number;
}

/**
 * Keeps one row where it is while rows come and go around it: the row under the pointer, else the selected one if it is
 * in sight, else the first in sight.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  { rows, indexByKey, rowHeight, active }: AnchorOptions,
) {
  const before = useRef({ rows, rowHeight, active });
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
    const last = before.current;
    before.current = { rows, rowHeight, active };
    if (!element || last.rows === rows || last.rowHeight !== rowHeight) return;
    const { scrollTop } = element;
    const head = element.firstElementChild?.getBoundingClientRect().bottom ?? 0;
    const underPointer =
      pointerY.current === null || pointerY.current < head
        ? -1
        : Math.floor((scrollTop + pointerY.current - head) / rowHeight);
    const isInSight = (index: number) =>
      (index + 1) * rowHeight > scrollTop && index * rowHeight < scrollTop + element.clientHeight;
    const candidates = [
      underPointer,
      isInSight(last.active) ? last.active : -1,
      Math.floor(scrollTop / rowHeight),
    ];
    for (const index of candidates) {
      const key = last.rows[index]?.item.key;
      const now = key === undefined ? undefined : indexByKey.get(key);
      if (now === undefined) continue;
      // Set only when it differs, so that a scroll in progress is not cut short.
      if (now !== index) element.scrollTop = scrollTop + (now - index) * rowHeight;
      return;
    }
  }, [scroller, rows, indexByKey, rowHeight, active]);
}
