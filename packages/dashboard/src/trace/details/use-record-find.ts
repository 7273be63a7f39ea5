import type { SearchField } from "@whytrace/contract";
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { Find, FindTarget } from "../payload/find.ts";

interface Occurrence {
  element: Element;
  index: number;
}

/**
 * The occurrences of the searched text in the shown record. Opening a record scrolls to the first one in `field`, or to
 * the first one at all; typing only marks them.
 */
export function useRecordFind(text: string, record: string, field: SearchField | undefined) {
  const [targets] = useState(() => new Map<Element, FindTarget>());
  const [version, countUp] = useReducer((count: number) => count + 1, 0);
  const [current, setCurrent] = useState<Occurrence | null>(null);
  const seen = useRef({ record: "", text: "", isPending: false });

  const find = useMemo<Find>(
    () => ({
      text,
      register(element, target) {
        targets.set(element, target);
        countUp();
        return () => {
          targets.delete(element);
          countUp();
        };
      },
    }),
    [text, targets],
  );
  const goTo = useCallback(
    (next: Occurrence) => {
      if (current && current.element !== next.element) targets.get(current.element)?.reveal(null);
      targets.get(next.element)?.reveal(next.index);
      setCurrent(next);
    },
    [current, targets],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when targets have changed
  useEffect(() => {
    const isNewRecord = seen.current.record !== record;
    if (isNewRecord || seen.current.text !== text) {
      seen.current = { record, text, isPending: isNewRecord && text !== "" };
      setCurrent(null);
    }
    if (!seen.current.isPending) return;
    const ordered = inOrder(targets);
    const [element, target] = ordered.find((entry) => entry[1].field === field) ?? ordered[0] ?? [];
    if (!element || target?.count === null) return;
    seen.current.isPending = false;
    goTo({ element, index: 0 });
  }, [version, record, text, field]);

  const ordered = inOrder(targets);
  const all = ordered.flatMap(([element, { count }]) =>
    Array.from({ length: count ?? 0 }, (_, index) => ({ element, index })),
  );
  const at = all.findIndex(({ element, index }) => element === current?.element && index === current.index);
  return {
    find,
    at,
    count: all.length,
    isCounting: ordered.some(([, { count }]) => count === null),
    step(direction: 1 | -1) {
      const next =
        all[at < 0 ? (direction === 1 ? 0 : all.length - 1) : (at + direction + all.length) % all.length];
      if (next) goTo(next);
    },
  };
}

const inOrder = (targets: Map<Element, FindTarget>) =>
  [...targets].sort(([a], [b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
