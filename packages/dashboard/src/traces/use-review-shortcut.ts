import { useIsReadOnly } from "../client/use-role.ts";
import { useSaveReview } from "../scores/use-save-review.ts";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { focusedTrace } from "./focused-trace.ts";

/** `+` says that the run whose row has the focus was good, `-` that it was bad, `0` takes it back. */
export function useReviewShortcut() {
  const isReadOnly = useIsReadOnly();
  const save = useSaveReview();
  const review = (value: boolean | null) => {
    const traceId = focusedTrace();
    if (traceId !== undefined) save({ traceId, value });
  };
  useShortcuts(
    isReadOnly ? {} : { "+": () => review(true), "-": () => review(false), "0": () => review(null) },
  );
}
