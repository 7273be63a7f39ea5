import type { ParsedTrace } from "@whytrace/contract";
import type { Database } from "../db/database.ts";
import type { LockedTrace } from "./claim-ids.ts";
import { deleteChildren, deleteChildrenAt } from "./delete-children.ts";
import { type TraceRows, uuidBytes } from "./encode-traces.ts";
import { dropManifests } from "./manifests.ts";
import { addTrace, type Totals } from "./totals.ts";
import { isKeptBookOf, TraceManifest } from "./trace-manifest.ts";
import { updateTraces } from "./update-traces.ts";

const UPDATED_AT_ONCE = 2_000;

interface Replacing {
  replacements: ParsedTrace[];
  /** What is there, locked. */
  replaced: ReadonlyMap<string, LockedTrace>;
  /** Where the children still to be copied go. */
  rows: TraceRows;
  change: Totals;
  /** Where the book of running traces goes. */
  manifests: Map<string, TraceManifest>;
}

/** Makes existing traces what was sent, but for the rows of new and changed children: those are left to be copied. */
export async function replaceTraces(
  trx: Database,
  userId: string,
  { replacements, replaced, rows, change, manifests }: Replacing,
): Promise<void> {
  const user = uuidBytes(userId);
  const rewritten: string[] = [];
  const compared: { id: string; manifest: TraceManifest }[] = [];
  for (const trace of replacements) {
    const there = replaced.get(trace.id);
    const hashes = there?.hashes ?? null;
    const manifest = hashes || isKeptBookOf(trace) ? new TraceManifest(trace, hashes) : undefined;
    if (manifest && isKeptBookOf(trace)) manifests.set(trace.id, manifest);
    rows.addChildren(user, trace, manifest?.isWanted);
    if (manifest?.isKnown) {
      compared.push({ id: trace.id, manifest });
      addTrace(change, trace, manifest.written("decisionPoints"));
    } else {
      rewritten.push(trace.id);
      addTrace(change, trace);
    }
    if (there) change[there.status] -= 1;
  }
  const forgotten = replacements.filter(({ id }) => replaced.get(id)?.hashes && !manifests.has(id));
  const [rewrittenTypes, comparedTypes] = await Promise.all([
    deleteChildren(trx, userId, rewritten),
    deleteChildrenAt(trx, userId, compared),
    dropManifests(
      trx,
      userId,
      forgotten.map(({ id }) => id),
    ),
    updateInPieces(trx, userId, replacements),
  ]);
  for (const type of [...rewrittenTypes, ...comparedTypes]) change[type] -= 1;
}

async function updateInPieces(trx: Database, userId: string, traces: ParsedTrace[]) {
  for (let from = 0; from < traces.length; from += UPDATED_AT_ONCE)
    await updateTraces(trx, userId, traces.slice(from, from + UPDATED_AT_ONCE));
}
