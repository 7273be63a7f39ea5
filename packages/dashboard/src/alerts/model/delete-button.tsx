import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { useAlertChange } from "./use-alert-change.ts";

interface DeleteButtonProps {
  /** For example "the rule Slow answers". */
  what: string;
  /** What deleting it means. */
  consequence: string;
  remove: () => Promise<unknown>;
  onDeleted: () => void;
}

/** Deletes something after a confirmation. */
export function DeleteButton({ what, consequence, remove, onDeleted }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const removal = useAlertChange(remove, onDeleted);
  const close = () => setIsAsking(false);
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <Dialog title={`Delete ${what}?`} isOpen={isAsking} onClose={close}>
        <p>{consequence}</p>
        {removal.error && <ErrorNotice error={removal.error} />}
        <div className="flex gap-2">
          <Button kind="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
            Delete
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </Dialog>
    </>
  );
}
