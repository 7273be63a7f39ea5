import { useShortcuts } from "../ui/use-shortcuts.ts";

/** `x` marks the trace whose row has the focus. */
export function useMarkShortcut(onMark: (id: string) => void) {
  useShortcuts({
    x: () => {
      const row = document.activeElement?.closest("tr");
      const id = row?.querySelector<HTMLElement>("[data-trace]")?.dataset.trace;
      if (id !== undefined) onMark(id);
    },
  });
}
