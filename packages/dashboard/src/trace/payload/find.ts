import type { SearchField } from "@whytrace/contract";
import { createContext, type RefObject, useContext, useEffect, useRef } from "react";

/** A text or payload on the page that the searched text may be in. */
export interface FindTarget {
  /** The field of the record, if the target shows the record that was searched for. */
  field: SearchField | null;
  /** The number of occurrences; null while they are counted. */
  count: number | null;
  /** Scrolls to an occurrence and marks it as the current one. Null: none is the current one. */
  reveal: (index: number | null) => void;
}

export interface Find {
  /** The searched text, or an empty string. */
  text: string;
  /** Returns a function that removes the target. */
  register: (element: Element, target: FindTarget) => () => void;
}

/** What the trace page searches for. Without a provider nothing is marked. */
export const FindContext = createContext<Find>({ text: "", register: () => () => {} });

/** Makes the occurrences in an element reachable with the page's buttons. */
export function useFindTarget(element: RefObject<Element | null>, { field, count, reveal }: FindTarget) {
  const { register } = useContext(FindContext);
  const latest = useRef(reveal);
  latest.current = reveal;
  useEffect(() => {
    if (!element.current || count === 0) return;
    return register(element.current, { field, count, reveal: (index) => latest.current(index) });
  }, [element, field, count, register]);
}
