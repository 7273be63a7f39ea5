import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { focusedTrace } from "./focused-trace.ts";

/** `x` selects the trace whose row has the focus; with Shift, all from the one that was selected last. */
export function useMarkShortcut(onMark: (id: string, isRange: boolean) => void) {
  const mark = (isRange: boolean) => {
    const id = focusedTrace();
    if (id !== undefined) onMark(id, isRange);
  };
  const markOne = () => mark(false);
  const markRange = () => mark(true);
  useShortcuts({ x: markOne, X: markRange });
}
