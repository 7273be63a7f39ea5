import type { ParsedTrace } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import type { LockedBatch } from "../batch/lock-batch.ts";
import { sumChanges } from "../counts/count-changes.ts";
import { dayOf } from "../counts/decision-days.ts";
import { addTrace, noTotals } from "../counts/totals.ts";
import { type TraceRows, uuidBytes } from "../rows/encode-traces.ts";
import { type EncodedManifest, hasManifest, TraceManifest } from "../rows/trace-manifest.ts";
import type { EncodedTraces } from "./encoded-traces.ts";
import { replaceTraces } from "./replace-traces.ts";

/** Encodes the rows of new traces, and replaces existing ones up to the rows that still have to be copied. */
export async function encodeBatch(
  trx: Database,
  { workspaceId, requests, existing }: LockedBatch,
  rows: TraceRows,
  definitions: Definitions,
): Promise<EncodedTraces> {
  const traces = requests.flatMap((request) => request.traces);
  const created = await runInTimeSlices(
    encodeNewTraces(
      workspaceId,
      traces.filter(({ id }) => !existing.has(id)),
      rows,
      definitions,
    ),
  );
  const replacements = traces.flatMap((trace) => {
    const before = existing.get(trace.id);
    return before ? { trace, before } : [];
  });
  if (replacements.length === 0) return created;
  const replaced = await replaceTraces(trx, workspaceId, replacements, { rows, definitions });
  return {
    counts: sumChanges([created.counts, replaced.counts]),
    manifests: new Map([...created.manifests, ...replaced.manifests]),
  };
}

function* encodeNewTraces(
  workspaceId: WorkspaceId,
  traces: ParsedTrace[],
  rows: TraceRows,
  definitions: Definitions,
): Generator<undefined, EncodedTraces> {
  const workspace = uuidBytes(workspaceId);
  const totals = noTotals();
  const decisionDays = new Set<string>();
  const manifests = new Map<string, EncodedManifest>();
  for (const trace of traces) {
    const packed = yield* rows.addPayloads(workspace, trace);
    const manifest = hasManifest(trace) ? new TraceManifest(trace, undefined).encode(packed) : undefined;
    if (manifest) manifests.set(trace.id, manifest);
    rows.addTrace(workspace, trace, { manifest, definitions });
    yield* rows.addChildren(workspace, trace);
    addTrace(totals, trace);
    if (trace.decisionPoints.length > 0) decisionDays.add(dayOf(trace.startedAt));
    yield;
  }
  return { counts: { totals, decisionDays }, manifests };
}
