import type { ParsedTrace } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import type { LockedBatch } from "../batch/lock-batch.ts";
import { sumChanges } from "../counts/count-changes.ts";
import { dayOf } from "../counts/decision-days.ts";
import { addTrace, noTotals } from "../counts/totals.ts";
import type { RunChange } from "../problems/run-problems.ts";
import { type TraceRows, uuidBytes } from "../rows/encode-traces.ts";
import { type EncodedManifest, hasManifest, TraceManifest } from "../rows/trace-manifest.ts";
import { eventScores } from "../scores/event-scores.ts";
import type { ParsedScore } from "../scores/parsed-score.ts";
import type { CarriedByTrace } from "../scores/replace-carried-scores.ts";
import type { EncodedBatch, EncodedTraces } from "./encoded-traces.ts";
import { replaceTraces } from "./replace-traces.ts";

/** Encodes the rows of new traces, and replaces existing ones up to the rows that still have to be copied. */
export async function encodeBatch(
  trx: Database,
  { workspaceId, requests, existing }: LockedBatch,
  rows: TraceRows,
  definitions: Definitions,
): Promise<EncodedBatch> {
  const traces = requests.flatMap((request) => request.traces);
  const scores = await runInTimeSlices(findScores(traces, existing));
  const created = await runInTimeSlices(
    encodeNewTraces(
      workspaceId,
      traces.filter(({ id }) => !existing.has(id)),
      { rows, definitions, scores },
    ),
  );
  const replacements = traces.flatMap((trace) => {
    const before = existing.get(trace.id);
    return before ? { trace, before } : [];
  });
  if (replacements.length === 0) return { ...created, scores };
  const replaced = await replaceTraces(trx, workspaceId, replacements, { rows, definitions });
  return {
    counts: sumChanges([created.counts, replaced.counts]),
    manifests: new Map([...created.manifests, ...replaced.manifests]),
    scores,
    runs: [...created.runs, ...replaced.runs],
  };
}

/** Traces that neither carry scores nor had any are left out. */
function* findScores(
  traces: ParsedTrace[],
  existing: LockedBatch["existing"],
): Generator<undefined, CarriedByTrace> {
  const carried = new Map<string, ParsedScore[]>();
  for (const trace of traces) {
    const scores = eventScores(trace);
    if (scores.length === 0 && !existing.get(trace.id)?.scoreCount) continue;
    carried.set(trace.id, scores);
    yield;
  }
  return carried;
}

function* encodeNewTraces(
  workspaceId: WorkspaceId,
  traces: ParsedTrace[],
  { rows, definitions, scores }: { rows: TraceRows; definitions: Definitions; scores: CarriedByTrace },
): Generator<undefined, EncodedTraces> {
  const workspace = uuidBytes(workspaceId);
  const totals = noTotals();
  const decisionDays = new Set<string>();
  const manifests = new Map<string, EncodedManifest>();
  const runs: RunChange[] = [];
  for (const trace of traces) {
    const packed = yield* rows.addPayloads(workspace, trace);
    const manifest = hasManifest(trace) ? new TraceManifest(trace, undefined).encode(packed) : undefined;
    if (manifest) manifests.set(trace.id, manifest);
    const run = rows.addTrace(workspace, trace, { manifest, definitions, scores: scores.get(trace.id) });
    if (run.release !== null || run.problems.length > 0) runs.push({ ...run, id: trace.id, before: [] });
    yield* rows.addChildren(workspace, trace);
    addTrace(totals, trace);
    if (trace.decisionPoints.length > 0) decisionDays.add(dayOf(trace.startedAt));
    yield;
  }
  return { counts: { totals, decisionDays }, manifests, runs };
}
