import { useIsReadOnly } from "../client/use-role.ts";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { useSaveReview } from "./use-save-review.ts";

/** `+` says that the run was good, `-` that it was bad, `0` takes it back. */
export function ReviewKeys({ traceId }: { traceId: string }) {
  const isReadOnly = useIsReadOnly();
  const save = useSaveReview();
  useShortcuts(
    isReadOnly
      ? {}
      : {
          "+": () => save({ traceId, value: true }),
          "-": () => save({ traceId, value: false }),
          "0": () => save({ traceId, value: null }),
        },
  );
  return null;
}
