import { useRef } from "react";
import { useShortcuts } from "./use-shortcuts.ts";

/** `j` and `k` move the focus between the rows' links, `/` focuses the search field. */
export function useListShortcuts() {
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const at = links.indexOf(
      document.activeElement instanceof HTMLElement ? document.activeElement : document.body,
    );
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), "/": () => search.current?.focus() });
  return { list, search, move };
}
