import type { ParsedTrace } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { PACKED_FIELDS, PACKED_KINDS } from "../../payloads/packed-fields.ts";
import { payloadsLength } from "../../payloads/payload-bytes.ts";
import type { PackedSize } from "../../payloads/payload-packer.ts";
import type { LockedTrace } from "../batch/claim-ids.ts";
import { dayOf } from "../counts/decision-days.ts";
import { addTrace, noTotals, sumTotals } from "../counts/totals.ts";
import {
  type ComparedTrace,
  deleteChangedChildren,
  deleteChildren,
  deletePayloads,
} from "../delete/delete-children.ts";
import type { RunChange } from "../problems/run-problems.ts";
import { type ChildFilter, type TraceRows, uuidBytes } from "../rows/encode-traces.ts";
import { deleteManifests } from "../rows/manifests.ts";
import { type EncodedManifest, hasManifest, TraceManifest } from "../rows/trace-manifest.ts";
import type { EncodedTraces } from "./encoded-traces.ts";
import { updateTraces, type WrittenWithTraces } from "./update-traces.ts";

const MAX_UPDATED_AT_ONCE = 500;
/** With more parts, small ones cost more than packing the trace again. */
const MAX_PARTS = 32;
/** This much may be superseded in any trace; in a large one, as much as is not. */
const MIN_SUPERSEDED_BYTES = 64 * 1024;

/** A trace that was sent, and what is stored under its id. */
interface Replacement {
  trace: ParsedTrace;
  before: LockedTrace;
}

/**
 * Replaces existing traces: updates their rows and deletes the children that changed. The rows of new and changed children
 * are added to `rows`; the caller copies them.
 */
export async function replaceTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  replacements: Replacement[],
  { rows, definitions }: { rows: TraceRows; definitions: Definitions },
): Promise<EncodedTraces> {
  const { rewritten, compared, repacked, counts, manifests } = await runInTimeSlices(
    encodeChangedChildren(workspaceId, replacements, rows),
  );
  const withoutManifest = replacements.filter(
    ({ trace, before }) => before.hashes && !manifests.has(trace.id),
  );
  const [rewrittenTypes, comparedTypes, , , runs] = await Promise.all([
    deleteChildren(trx, workspaceId, rewritten),
    deleteChangedChildren(trx, workspaceId, compared),
    deletePayloads(trx, workspaceId, repacked),
    deleteManifests(
      trx,
      workspaceId,
      withoutManifest.map(({ trace }) => trace.id),
    ),
    updateInChunks(trx, workspaceId, replacements, { manifests, definitions }),
  ]);
  const deleted = noTotals();
  for (const type of [...rewrittenTypes, ...comparedTypes]) deleted[type] -= 1;
  return { counts: { ...counts, totals: sumTotals([counts.totals, deleted]) }, manifests, runs };
}

interface EncodedReplacements extends Omit<EncodedTraces, "runs"> {
  /** Traces whose children are all deleted and written again, because their stored hashes are not known or not up to date. */
  rewritten: string[];
  compared: ComparedTrace[];
  /** Traces of which all payloads are packed again, although not all children are written. */
  repacked: string[];
}

function* encodeChangedChildren(
  workspaceId: WorkspaceId,
  replacements: Replacement[],
  rows: TraceRows,
): Generator<undefined, EncodedReplacements> {
  const workspace = uuidBytes(workspaceId);
  const rewritten: string[] = [];
  const compared: ComparedTrace[] = [];
  const repacked: string[] = [];
  const totals = noTotals();
  const decisionDays = new Set<string>();
  const manifests = new Map<string, EncodedManifest>();
  for (const { trace, before } of replacements) {
    const manifest = before.hashes || hasManifest(trace) ? new TraceManifest(trace, before) : undefined;
    yield* rows.addChildren(workspace, trace, manifest?.isChanged);
    const { packed, isRepacked } = manifest?.isComparable
      ? yield* addChangedPayloads(workspace, trace, manifest, rows)
      : { packed: yield* rows.addPayloads(workspace, trace), isRepacked: false };
    if (isRepacked) repacked.push(trace.id);
    if (manifest?.isComparable) {
      compared.push({ id: trace.id, manifest });
      addTrace(totals, trace, manifest.changedPositions("decisionPoints"));
    } else {
      rewritten.push(trace.id);
      addTrace(totals, trace);
    }
    if (manifest && hasManifest(trace)) manifests.set(trace.id, manifest.encode(packed));
    totals[before.status] -= 1;
    if (before.childCounts[1]) decisionDays.add(dayOf(before.startedAt));
    if (trace.decisionPoints.length > 0) decisionDays.add(dayOf(trace.startedAt));
    yield;
  }
  return { rewritten, compared, repacked, counts: { totals, decisionDays }, manifests };
}

/**
 * While a trace is running, the payloads of its new and changed children become a part of their own. When it has ended, or
 * when too much is superseded, all its payloads are packed together again.
 */
function* addChangedPayloads(
  workspace: Uint8Array,
  trace: ParsedTrace,
  manifest: TraceManifest,
  rows: TraceRows,
): Generator<undefined, { packed: PackedSize; isRepacked: boolean }> {
  const stored = manifest.storedPacked;
  const bytes = packedLength(trace);
  const writtenBytes = stored.bytes + packedLength(trace, manifest.isChanged);
  const isEnded = trace.status !== "RUNNING";
  const hasChanged = PACKED_KINDS.some((kind) => manifest.changedPositions(kind).length > 0);
  const isCompact = stored.parts <= 1 && !hasChanged && writtenBytes === bytes;
  const isAppended =
    stored.parts < MAX_PARTS && writtenBytes <= bytes + Math.max(bytes, MIN_SUPERSEDED_BYTES);
  if (isCompact || (isAppended && !isEnded)) {
    const { parts } = yield* rows.addPayloads(workspace, trace, manifest.isChanged, stored.parts);
    return { packed: { parts, bytes: writtenBytes }, isRepacked: false };
  }
  return { packed: yield* rows.addPayloads(workspace, trace), isRepacked: true };
}

/** How many bytes the payloads of a trace's children have, of all or of those that the filter wants. */
function packedLength(trace: ParsedTrace, isWanted: ChildFilter = () => true): number {
  let bytes = 0;
  for (const kind of PACKED_KINDS)
    for (const [position, child] of trace[kind].entries())
      if (isWanted(kind, position)) bytes += payloadsLength(child, PACKED_FIELDS[kind]);
  return bytes;
}

async function updateInChunks(
  trx: Database,
  workspaceId: WorkspaceId,
  replacements: Replacement[],
  written: WrittenWithTraces,
): Promise<RunChange[]> {
  const before = new Map(replacements.map((replacement) => [replacement.trace.id, replacement.before]));
  const runs: RunChange[] = [];
  for (let start = 0; start < replacements.length; start += MAX_UPDATED_AT_ONCE) {
    const chunk = replacements.slice(start, start + MAX_UPDATED_AT_ONCE).map(({ trace }) => trace);
    for (const { id, run } of await updateTraces(trx, workspaceId, chunk, written)) {
      const { problems = [], createdAt } = before.get(id) ?? {};
      if (run.release !== null || run.problems.length + problems.length > 0)
        runs.push({ ...run, id, before: problems, createdAt });
    }
  }
  return runs;
}
