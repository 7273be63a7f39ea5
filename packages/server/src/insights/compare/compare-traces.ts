import type { Comparison } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import type { DaysReader } from "../days/days-reader.ts";
import { describeRange, parseDayRange } from "../insights-range.ts";
import { compareRuns } from "./compare-runs.ts";
import { divergenceRates, flippedChoice } from "./divergence-rates.ts";
import { readRun } from "./read-run.ts";

export const A_NOT_FOUND = "Trace a not found. It may have been deleted.";
export const B_NOT_FOUND = "Trace b not found. It may have been deleted.";

/** Compares the decisions of two traces, and says what followed the options where they first differ. */
export async function compareTraces(
  { reads, days }: { reads: FairDatabase; days: DaysReader },
  workspaceId: WorkspaceId,
  ids: { a: string; b: string },
): Promise<Comparison> {
  const [a, b] = await reads.run(workspaceId, (db) =>
    // One snapshot: a trace that is replaced meanwhile is seen completely or not at all.
    db.transaction((trx) => Promise.all([ids.a, ids.b].map((id) => readRun(trx, workspaceId, id))), {
      isolationLevel: "repeatable read",
      accessMode: "read only",
    }),
  );
  if (!a) throw new HttpError(404, A_NOT_FOUND);
  if (!b) throw new HttpError(404, B_NOT_FOUND);
  const comparison = await runInTimeSlices(compareRuns(a, b));
  const choice = flippedChoice(comparison);
  if (!choice || !comparison.divergence) return comparison;
  // The days until the later of both runs: what came after cannot have been known.
  const range = parseDayRange({ to: Math.max(a.startedAtMs, b.startedAtMs) + 1 });
  const rates = await days.read(workspaceId, range, async (read) => {
    const counted = divergenceRates(read.tally, choice);
    return counted && { ...describeRange(range, read), ...counted };
  });
  return { ...comparison, divergence: { ...comparison.divergence, rates } };
}
