import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** A change that was made, in words, and how to take it back. */
export interface DoneChange {
  text: string;
  undo: () => Promise<unknown>;
}

export interface UndoableChanges {
  /** Makes a change, and offers to take it back. */
  make: (change: () => Promise<DoneChange>) => void;
  /** Takes the last change back, while that is offered. */
  undo: () => void;
  last: DoneChange | undefined;
  error: Error | null;
  isPending: boolean;
  dismissError: () => void;
}

/** Makes changes. For a time after each, it can be taken back. */
export function useUndoableChanges(undoMs: number, onSettled: () => Promise<void>): UndoableChanges {
  const [last, setLast] = useState<DoneChange>();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (work: () => Promise<DoneChange | undefined>) => work(),
    onSuccess: setLast,
    onSettled,
  });
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(undefined), undoMs);
    return () => clearTimeout(timer);
  }, [last, undoMs]);
  const undo = () => {
    if (!last || isPending) return;
    mutate(async () => {
      await last.undo();
      return undefined;
    });
  };
  return { make: (change) => mutate(change), undo, last, error, isPending, dismissError: reset };
}
