import type { RunOutcomeName, Status } from "@whytrace/contract";
import { OUTCOME_LABELS } from "./outcome-words.ts";

const TINTS: Readonly<Record<RunOutcomeName, string>> = {
  good: "[--tint:var(--color-completed)]",
  bad: "[--tint:var(--color-error)]",
  unknown: "[--tint:var(--color-custom)]",
  open: "",
};

/** What the status says already. */
const EXPECTED: Readonly<Record<Status, RunOutcomeName>> = {
  RUNNING: "open",
  COMPLETED: "good",
  ERROR: "bad",
};

/** The outcome of a run, where its status says something else. */
export function OutcomeBadge({ status, outcome }: { status: Status; outcome: RunOutcomeName | undefined }) {
  if (outcome === undefined || outcome === "open" || outcome === EXPECTED[status]) return null;
  return (
    <span
      title={`Outcome: ${outcome}`}
      className={`tinted inline-flex shrink-0 rounded-[5px] px-1.5 text-xs font-semibold ${TINTS[outcome]}`}
    >
      <span className="sr-only">Outcome: </span>
      {OUTCOME_LABELS[outcome]}
    </span>
  );
}
