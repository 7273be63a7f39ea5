import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../client/api.ts";
import { Button } from "../ui/controls/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

interface DeleteTracesProps {
  ids: readonly string[];
  /** What is deleted, in words. */
  name: string;
  onCancel: () => void;
  onDeleted: () => void;
}

/** Asks before it deletes traces, one after the other. After an error, the next attempt goes on with the others. */
export function DeleteTraces({ ids, name, onCancel, onDeleted }: DeleteTracesProps) {
  const queryClient = useQueryClient();
  const [deletedCount, setDeletedCount] = useState(0);
  const remove = useMutation({
    mutationFn: async () => {
      for (const [index, id] of ids.entries()) {
        if (index < deletedCount) continue;
        await deleteTrace(id);
        setDeletedCount(index + 1);
      }
    },
    onSuccess: onDeleted,
    onSettled: () =>
      Promise.all(
        ["traces", "decisions", "sessions"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  });
  return (
    <>
      <p>
        <strong className="break-words">{name}</strong> and everything in {ids.length === 1 ? "it" : "them"}{" "}
        will be deleted. This cannot be undone. Deleted traces still count towards the limit of your plan.
      </p>
      {remove.error && <ErrorNotice error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending && ids.length > 1 ? `Deleting ${deletedCount + 1} of ${ids.length}…` : "Delete"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}

async function deleteTrace(id: string) {
  try {
    await api("DELETE /api/traces/:id", { params: { id } });
  } catch (error) {
    // Somebody else has deleted it.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
