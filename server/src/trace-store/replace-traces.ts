import type { ParsedTrace } from "@whytrace/contract";
import type { Database } from "../db/database.ts";
import { type ComparedTrace, deleteChangedChildren, deleteChildren } from "./delete-children.ts";
import { type TraceRows, uuidBytes } from "./encode-traces.ts";
import { deleteManifests } from "./manifests.ts";
import type { TenantBatch } from "./tenant-batch.ts";
import { addTrace } from "./totals.ts";
import { hasManifest, TraceManifest } from "./trace-manifest.ts";
import { updateTraces } from "./update-traces.ts";

const MAX_UPDATED_AT_ONCE = 2_000;

/**
 * Replaces existing traces: updates their rows and deletes the children that changed. The rows of new and changed children
 * are added to `rows`; the caller copies them.
 */
export async function replaceTraces(
  trx: Database,
  { userId, existing, totalsChange, manifests }: TenantBatch,
  replacements: ParsedTrace[],
  rows: TraceRows,
): Promise<void> {
  const user = uuidBytes(userId);
  /** Traces whose children are all deleted and written again, because their stored hashes are not known. */
  const rewritten: string[] = [];
  const compared: ComparedTrace[] = [];
  for (const trace of replacements) {
    const before = existing.get(trace.id);
    const hashes = before?.hashes ?? null;
    const manifest = hashes || hasManifest(trace) ? new TraceManifest(trace, hashes) : undefined;
    if (manifest && hasManifest(trace)) manifests.set(trace.id, manifest);
    rows.addChildren(user, trace, manifest?.isChanged);
    if (manifest?.isComparable) {
      compared.push({ id: trace.id, manifest });
      addTrace(totalsChange, trace, manifest.changedPositions("decisionPoints"));
    } else {
      rewritten.push(trace.id);
      addTrace(totalsChange, trace);
    }
    if (before) totalsChange[before.status] -= 1;
  }
  const withoutManifest = replacements.filter(({ id }) => existing.get(id)?.hashes && !manifests.has(id));
  const [rewrittenTypes, comparedTypes] = await Promise.all([
    deleteChildren(trx, userId, rewritten),
    deleteChangedChildren(trx, userId, compared),
    deleteManifests(
      trx,
      userId,
      withoutManifest.map(({ id }) => id),
    ),
    updateInChunks(trx, userId, replacements),
  ]);
  for (const type of [...rewrittenTypes, ...comparedTypes]) totalsChange[type] -= 1;
}

async function updateInChunks(trx: Database, userId: string, traces: ParsedTrace[]) {
  for (let start = 0; start < traces.length; start += MAX_UPDATED_AT_ONCE)
    await updateTraces(trx, userId, traces.slice(start, start + MAX_UPDATED_AT_ONCE));
}
