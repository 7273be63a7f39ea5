import type { Issue } from "@whytrace/contract";
import { useRef, useState } from "react";

interface HeldRows {
  /** The rows to show. */
  rows: readonly Issue[];
  /** How many rows would be there, but are not shown yet; undefined if all are in their place. */
  newCount: number | undefined;
  /** Puts all rows in their place. */
  release: () => void;
  /** For the element that contains the rows. */
  handlers: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: { currentTarget: Element; relatedTarget: EventTarget | null }) => void;
  };
}

/**
 * Keeps rows where they are while the pointer or the focus is on the list: their figures change in place, and new rows wait. `listKey`
 * names the list; another one is shown as it is. Rows that were `changed` here go as soon as the list is without them, and come back
 * with it.
 */
export function useHeldRows(
  fresh: readonly Issue[],
  listKey: string,
  changed: ReadonlySet<number>,
): HeldRows {
  const [holders, setHolders] = useState({ pointer: false, focus: false });
  const held = useRef<{ listKey: string; rows: readonly Issue[] }>(undefined);
  const isHeld = holders.pointer || holders.focus;
  const byNumber = new Map(fresh.map((issue) => [issue.number, issue]));
  const last = held.current?.listKey === listKey && isHeld ? held.current.rows : undefined;
  const isBack = ({ number }: Issue) => changed.has(number) && !last?.some((row) => row.number === number);
  const before =
    last && !fresh.some(isBack)
      ? last.filter(({ number }) => byNumber.has(number) || !changed.has(number))
      : undefined;
  const rows = before && before.length > 0 ? before.map((row) => byNumber.get(row.number) ?? row) : fresh;
  held.current = { listKey, rows };
  const isInPlace =
    rows.length === fresh.length && rows.every(({ number }, index) => number === fresh[index]?.number);
  const shown = new Set(rows.map(({ number }) => number));
  const [, setReleases] = useState(0);
  return {
    rows,
    newCount: isInPlace ? undefined : fresh.filter(({ number }) => !shown.has(number)).length,
    release: () => {
      held.current = undefined;
      setReleases((count) => count + 1);
    },
    handlers: {
      onPointerEnter: () => setHolders((now) => ({ ...now, pointer: true })),
      onPointerLeave: () => setHolders((now) => ({ ...now, pointer: false })),
      onFocus: () => setHolders((now) => ({ ...now, focus: true })),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setHolders((now) => ({ ...now, focus: false }));
      },
    },
  };
}
