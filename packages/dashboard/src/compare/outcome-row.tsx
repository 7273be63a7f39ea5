import type { ComparedRun, Comparison, Status } from "@whytrace/contract";
import { formatDuration } from "../ui/format/format.ts";
import { StatusIcon } from "../ui/status.tsx";
import { CELL, COLUMNS } from "./model/columns.ts";

const WORDS: Record<Status, { text: string; className: string }> = {
  RUNNING: { text: "Still running", className: "text-running" },
  COMPLETED: { text: "Completed", className: "" },
  ERROR: { text: "Error", className: "text-error" },
};

/** How both runs ended. */
export function OutcomeRow({ comparison: { a, b } }: { comparison: Comparison }) {
  return (
    <li className={`${COLUMNS} min-h-13 py-2 max-md:gap-y-2`}>
      <div className={`${CELL} col-start-2`}>
        <Outcome side="A" run={a} />
      </div>
      <div className={`${CELL} text-center text-xs font-semibold max-md:hidden`}>Outcome</div>
      <div className={CELL}>
        <Outcome side="B" run={b} />
      </div>
    </li>
  );
}

function Outcome({ side, run: { status, durationMs, error } }: { side: "A" | "B"; run: ComparedRun }) {
  const { text, className } = WORDS[status];
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <StatusIcon status={status} />
      <p className="min-w-0">
        <span className="sr-only">{side}: </span>
        <span className={`font-semibold ${className}`}>{text}</span>
        {durationMs !== null && ` after ${formatDuration(durationMs)}`}
        {error !== null && (
          <span className="line-clamp-2 text-xs text-muted" title={error}>
            {status === "ERROR" ? error : `Recovered from: ${error}`}
          </span>
        )}
      </p>
    </div>
  );
}
