import { Link } from "@tanstack/react-router";
import type { TraceRow } from "@whytrace/contract";
import { useState } from "react";
import { apiUrl } from "../client/base-path.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { paths } from "../paths.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { DeleteTraces } from "./delete-traces.tsx";

interface MarkedBarProps {
  selected: readonly string[];
  rows: readonly TraceRow[];
  onClear: () => void;
}

/** The traces that are selected, and what can be done with them. */
export function MarkedBar({ selected, rows, onClear }: MarkedBarProps) {
  const isReadOnly = useIsReadOnly();
  const [isDeleting, setIsDeleting] = useState(false);
  const [first, second, third] = selected;
  if (first === undefined) return null;
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? id;
  return (
    <section
      aria-label="Selected traces"
      className="sticky bottom-0 z-[2] flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t border-accent bg-bg px-4 py-2"
    >
      <p aria-live="polite" className="line-clamp-2 min-w-0 basis-full sm:flex-1 sm:basis-0">
        {third !== undefined ? (
          <span className="font-semibold">{selected.length} traces selected</span>
        ) : (
          <>
            <span className="font-semibold">A</span> {nameOf(first)}
            {second === undefined ? (
              <span className="text-muted"> · Select another trace to compare them</span>
            ) : (
              <>
                {" · "}
                <span className="font-semibold">B</span> {nameOf(second)}
              </>
            )}
          </>
        )}
      </p>
      <Button onClick={onClear}>Clear selection</Button>
      <a
        href={apiUrl(`/api/export/traces?${new URLSearchParams({ ids: selected.join(",") })}`)}
        download="traces.jsonl"
        className={buttonStyle()}
      >
        Export
      </a>
      {!isReadOnly && (
        <Button kind="danger" onClick={() => setIsDeleting(true)}>
          Delete
        </Button>
      )}
      {third === undefined && (
        <Link
          to={paths.compare}
          search={second === undefined ? { a: first } : { a: first, b: second }}
          className={buttonStyle("primary")}
        >
          {second === undefined ? "Compare with a similar trace" : "Compare"}
        </Link>
      )}
      <Dialog
        title={selected.length === 1 ? "Delete trace" : `Delete ${selected.length} traces`}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
      >
        <DeleteTraces
          ids={selected}
          name={second === undefined ? nameOf(first) : `${selected.length} traces`}
          onCancel={() => setIsDeleting(false)}
          onDeleted={() => {
            setIsDeleting(false);
            onClear();
          }}
        />
      </Dialog>
    </section>
  );
}
