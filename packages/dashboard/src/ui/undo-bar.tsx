import { Kbd } from "./badges.tsx";
import { Button } from "./controls/button.tsx";
import { useShortcuts } from "./hooks/use-shortcuts.ts";
import type { UndoableChanges } from "./hooks/use-undoable-changes.ts";

/** Says what was just changed, or why it was not, and takes it back on a click or on `z`. */
export function UndoBar({ changes }: { changes: Omit<UndoableChanges, "make"> }) {
  const { last, error, undo, isPending, dismissError } = changes;
  useShortcuts({ z: undo });
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-14 z-20 flex justify-center px-4 max-md:bottom-4"
    >
      {error ? (
        <div className="pointer-events-auto flex items-center gap-3 rounded-md border border-error bg-bg px-3 py-2 shadow-lg">
          <span className="text-error">Not changed: {error.message}</span>
          <Button onClick={dismissError}>Close</Button>
        </div>
      ) : (
        last && (
          <div className="pointer-events-auto flex items-center gap-3 rounded-md border border-line bg-bg px-3 py-2 shadow-lg">
            <span>{last.text}</span>
            <Button onClick={undo} disabled={isPending}>
              Undo
              <span className="max-sm:hidden">
                <Kbd>z</Kbd>
              </span>
            </Button>
          </div>
        )
      )}
    </div>
  );
}
