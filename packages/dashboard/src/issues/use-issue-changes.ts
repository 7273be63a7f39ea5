import { useQueryClient } from "@tanstack/react-query";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { type UndoableChanges, useUndoableChanges } from "../ui/hooks/use-undoable-changes.ts";

export type IssueChanges = UndoableChanges;

const UNDO_MS = 10_000;

/** Changes issues. For 10 s after a change, it can be taken back. */
export function useIssueChanges(onChanged: () => void = () => {}): IssueChanges {
  const client = useQueryClient();
  return useUndoableChanges(UNDO_MS, async () => {
    await client.invalidateQueries({ queryKey: [ISSUES_KEY] });
    onChanged();
  });
}
