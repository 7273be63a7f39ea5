import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import type { DoneChange } from "./change-issues.ts";

const UNDO_MS = 10_000;

export interface IssueChanges {
  /** Makes a change, and offers to take it back. */
  make: (change: () => Promise<DoneChange>) => void;
  /** Takes the last change back, while that is offered. */
  undo: () => void;
  last: DoneChange | undefined;
  error: Error | null;
  isPending: boolean;
  dismissError: () => void;
}

/** Changes issues. For 10 s after a change, it can be taken back. */
export function useIssueChanges(onChanged: () => void = () => {}): IssueChanges {
  const client = useQueryClient();
  const [last, setLast] = useState<DoneChange>();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (work: () => Promise<DoneChange | undefined>) => work(),
    onSuccess: setLast,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [ISSUES_KEY] });
      onChanged();
    },
  });
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(undefined), UNDO_MS);
    return () => clearTimeout(timer);
  }, [last]);
  const undo = () => {
    if (!last || isPending) return;
    mutate(async () => {
      await last.undo();
      return undefined;
    });
  };
  return { make: (change) => mutate(change), undo, last, error, isPending, dismissError: reset };
}
