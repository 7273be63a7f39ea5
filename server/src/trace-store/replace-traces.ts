import type { ParsedTrace } from "@whytrace/contract";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import { PACKED_FIELDS, PACKED_KINDS } from "../payloads/packed-fields.ts";
import { payloadsLength } from "../payloads/payload-bytes.ts";
import { dayOf } from "./decision-days.ts";
import {
  type ComparedTrace,
  deleteChangedChildren,
  deleteChildren,
  deletePayloads,
} from "./delete-children.ts";
import { type ChildFilter, type TraceRows, uuidBytes } from "./encode-traces.ts";
import { deleteManifests } from "./manifests.ts";
import type { TenantBatch } from "./tenant-batch.ts";
import { addTrace } from "./totals.ts";
import { hasManifest, TraceManifest } from "./trace-manifest.ts";
import { updateTraces } from "./update-traces.ts";

const MAX_UPDATED_AT_ONCE = 500;
/** With more parts, small ones cost more than packing the trace again. */
const MAX_PARTS = 32;
/** So much may be superseded in any trace; in a large one, as much as is not. */
const MIN_SUPERSEDED_BYTES = 64 * 1024;

/**
 * Replaces existing traces: updates their rows and deletes the children that changed. The rows of new and changed children
 * are added to `rows`; the caller copies them.
 */
export async function replaceTraces(
  trx: Database,
  tenant: TenantBatch,
  replacements: ParsedTrace[],
  rows: TraceRows,
): Promise<void> {
  const { userId, existing, totalsChange, manifests } = tenant;
  const { rewritten, compared, repacked } = await runInTimeSlices(
    encodeChangedChildren(tenant, replacements, rows),
  );
  const withoutManifest = replacements.filter(({ id }) => existing.get(id)?.hashes && !manifests.has(id));
  const [rewrittenTypes, comparedTypes] = await Promise.all([
    deleteChildren(trx, userId, rewritten),
    deleteChangedChildren(trx, userId, compared),
    deletePayloads(trx, userId, repacked),
    deleteManifests(
      trx,
      userId,
      withoutManifest.map(({ id }) => id),
    ),
    updateInChunks(trx, tenant, replacements, rows.isPacked),
  ]);
  for (const type of [...rewrittenTypes, ...comparedTypes]) totalsChange[type] -= 1;
}

function* encodeChangedChildren(
  { userId, existing, totalsChange, manifests, decisionDays }: TenantBatch,
  replacements: ParsedTrace[],
  rows: TraceRows,
): Generator<undefined, { rewritten: string[]; compared: ComparedTrace[]; repacked: string[] }> {
  const user = uuidBytes(userId);
  /** Traces whose children are all deleted and written again, because their stored hashes are not known or not up to date. */
  const rewritten: string[] = [];
  const compared: ComparedTrace[] = [];
  /** Traces of which all payloads are packed again, although not all children are written. */
  const repacked: string[] = [];
  for (const trace of replacements) {
    const before = existing.get(trace.id);
    // Children whose payloads are stored in another way are written again.
    const comparable = before?.isPacked === rows.isPacked ? before : undefined;
    const manifest =
      comparable?.hashes || hasManifest(trace) ? new TraceManifest(trace, comparable) : undefined;
    if (manifest && hasManifest(trace)) manifests.set(trace.id, manifest);
    yield* rows.addChildren(user, trace, manifest?.isChanged);
    if (manifest?.isComparable) {
      if (yield* addChangedPayloads(user, trace, manifest, rows)) repacked.push(trace.id);
      compared.push({ id: trace.id, manifest });
      addTrace(totalsChange, trace, manifest.changedPositions("decisionPoints"));
    } else {
      const packed = yield* rows.addPayloads(user, trace);
      if (manifest) manifest.packed = packed;
      rewritten.push(trace.id);
      addTrace(totalsChange, trace);
    }
    if (before) totalsChange[before.status] -= 1;
    if (before?.childCounts[1]) decisionDays.add(dayOf(before.startedAt));
    if (trace.decisionPoints.length > 0) decisionDays.add(dayOf(trace.startedAt));
    yield;
  }
  return { rewritten, compared, repacked };
}

/**
 * While a trace is running, the payloads of its new and changed children become a part of their own. When it has ended, or
 * when too much is superseded, all its payloads are packed together again; then the function returns true.
 */
function* addChangedPayloads(
  user: Uint8Array,
  trace: ParsedTrace,
  manifest: TraceManifest,
  rows: TraceRows,
): Generator<undefined, boolean> {
  if (!rows.isPacked) return false;
  const stored = manifest.storedPacked;
  const bytes = packedLength(trace);
  const writtenBytes = stored.bytes + packedLength(trace, manifest.isChanged);
  const isEnded = trace.status !== "RUNNING";
  const hasChanged = PACKED_KINDS.some((kind) => manifest.changedPositions(kind).length > 0);
  const isPackedOnce = stored.parts <= 1 && !hasChanged && writtenBytes === bytes;
  const isAppended =
    stored.parts < MAX_PARTS && writtenBytes <= bytes + Math.max(bytes, MIN_SUPERSEDED_BYTES);
  if (isPackedOnce || (isAppended && !isEnded)) {
    const { parts } = yield* rows.addPayloads(user, trace, manifest.isChanged, stored.parts);
    manifest.packed = { parts, bytes: writtenBytes };
    return false;
  }
  manifest.packed = yield* rows.addPayloads(user, trace);
  return true;
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
  { userId, manifests }: TenantBatch,
  traces: ParsedTrace[],
  isPacked: boolean,
) {
  for (let start = 0; start < traces.length; start += MAX_UPDATED_AT_ONCE)
    await updateTraces(trx, userId, traces.slice(start, start + MAX_UPDATED_AT_ONCE), manifests, isPacked);
}
