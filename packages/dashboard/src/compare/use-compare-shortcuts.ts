import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";

interface CompareShortcuts {
  onSwap: () => void;
  onFold: () => void;
  onStepPartner: (step: 1 | -1) => void;
  onPick: () => void;
}

/** `j` and `k` move between lines, `n` and `N` between differences. Returns the ref of the list. */
export function useCompareShortcuts({ onSwap, onFold, onStepPartner, onPick }: CompareShortcuts) {
  const { list } = useListShortcuts();
  const goToDifference = (step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll("li") ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const candidates = step === 1 ? rows.slice(at + 1) : rows.slice(0, Math.max(0, at)).reverse();
    const next = candidates.find((row) => row.hasAttribute("data-difference"));
    next?.querySelector<HTMLElement>("[data-row]")?.focus();
  };
  const previousDifference = () => goToDifference(-1);
  useShortcuts({
    n: () => goToDifference(1),
    N: previousDifference,
    s: onSwap,
    u: onFold,
    "[": () => onStepPartner(-1),
    "]": () => onStepPartner(1),
    p: onPick,
  });
  return list;
}
