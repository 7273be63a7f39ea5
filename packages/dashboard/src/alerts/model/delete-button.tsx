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
  path: string;
  onDeleted: () => void;
}

/** Deletes something after a confirmation. */
export function DeleteButton({ what, consequence, path, onDeleted }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useAlertChange(onDeleted);
  const close = () => setIsAsking(false);
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <Dialog title={`Delete ${what}?`} isOpen={isAsking} onClose={close}>
        <p>{consequence}</p>
        {remove.error && <ErrorNotice error={remove.error} />}
        <div className="flex gap-2">
          <Button
            kind="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ method: "DELETE", path })}
          >
            Delete
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </Dialog>
    </>
  );
}
