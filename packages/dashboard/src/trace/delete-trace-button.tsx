import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../paths.ts";
import { DeleteTraces } from "../traces/delete-traces.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";

/** Deletes the trace after a confirmation, and shows the list of traces. */
export function DeleteTraceButton({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-label="Delete" onClick={() => setIsOpen(true)}>
        <span className="max-sm:hidden">Delete</span>
        <TrashIcon />
      </Button>
      <Dialog title="Delete trace" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <DeleteTraces
          ids={[id]}
          name={name}
          onCancel={() => setIsOpen(false)}
          onDeleted={() => void navigate({ to: paths.traces })}
        />
      </Dialog>
    </>
  );
}

/** Stands for the word on phones. */
const TrashIcon = () => (
  <svg
    aria-hidden="true"
    width="14"
    height="14"
    viewBox="0 0 14 14"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    className="sm:hidden"
  >
    <path d="M2 3.5h10M5.5 3.5v-2h3v2M3.5 3.5l.5 9h6l.5-9" />
  </svg>
);
