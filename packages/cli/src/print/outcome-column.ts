import type { RunOutcomeName, Status } from "@whytrace/contract";
import type { Output } from "./output.ts";
import { EXPECTED_OUTCOME, OUTCOME_STYLE } from "./status-style.ts";

const WIDTH = "unknown".length;

/** The outcome of a run, where its status says something else. */
export const unexpectedOutcome = (
  status: Status,
  outcome: RunOutcomeName | undefined,
  output: Output,
): string =>
  outcome === undefined || outcome === EXPECTED_OUTCOME[status]
    ? ""
    : output.paint(OUTCOME_STYLE[outcome], outcome);

/** The outcome of a run, where its status says something else; as wide for every run. */
export function outcomeColumn(status: Status, outcome: RunOutcomeName | undefined, output: Output): string {
  const shown = outcome === EXPECTED_OUTCOME[status] ? "" : (outcome ?? "");
  return unexpectedOutcome(status, outcome, output) + " ".repeat(WIDTH - shown.length);
}
