import { setImmediate as nextEventLoopIteration } from "node:timers/promises";
import type pg from "pg";
import { queueUsageMails } from "../../billing/usage.ts";
import { copyRows } from "../../db/copy/copy-rows.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { BUILT_IN_DEFINITIONS, type Definitions } from "../../outcomes/definition.ts";
import { cachedDefinitions } from "../../outcomes/read-definitions.ts";
import { claimIds } from "../batch/claim-ids.ts";
import { type LockedBatch, lockBatch } from "../batch/lock-batch.ts";
import { priceTraces, readPrices } from "../batch/price-traces.ts";
import { groupByWorkspace, type StoreRequest, type WorkspaceBatch } from "../batch/workspace-batch.ts";
import { sumChanges } from "../counts/count-changes.ts";
import { refreshComputedColumns } from "../counts/refresh-computed-columns.ts";
import { type StoredBatch, updateCounters } from "../counts/update-counters.ts";
import { type MergedPieces, mergePieces } from "../merge/merge-pieces.ts";
import { refreshOutcomes } from "../outcomes/refresh-outcomes.ts";
import { writeProblems } from "../problems/write-problems.ts";
import { TraceRows } from "../rows/encode-traces.ts";
import { saveManifests } from "../rows/manifests.ts";
import { replaceCarriedScores } from "../scores/replace-carried-scores.ts";
import { encodeBatch } from "./encode-batch.ts";
import type { EncodedBatch } from "./encoded-traces.ts";

/** Batches over this size let other requests run between the steps of their transaction. */
const LARGE_BYTES = 1024 * 1024;

/** Deriving this many spans takes tens of milliseconds. */
export const MAX_SPANS_DERIVED_HERE = 4_000;

/** What became of one request. */
export interface StoredRequest {
  /** The ids of its traces, without those that were skipped. */
  ids: ReadonlySet<string>;
  /** Why pieces of the workspace's own traces were skipped, by the id of their trace. */
  rejected: ReadonlyMap<string, string>;
}

export const NOTHING: StoredRequest = { ids: new Set(), rejected: new Map() };

/**
 * Stores one or several requests in one transaction; no two of them name the same trace. Returns what each stored.
 *
 * Every transaction takes its locks in this order, so that transactions wait for each other without a deadlock:
 *   1. the trace ids, sorted, in `trace_owners`: this claims new ids, and waits for ids that another transaction is
 *      claiming;
 *   2. workspace by workspace, sorted: the workspace's existing traces, sorted by id. Ids that are neither new nor the
 *      workspace's belong to another workspace and are skipped; then the scores that the traces carry, sorted by id;
 *   3. the subscriptions of workspaces with new traces, sorted; then the totals of all workspaces, sorted; then their agent
 *      sessions and changes. These come last, so that they are held briefly. With both locks held, the API keys are checked
 *      again.
 *
 * Statements that do not need each other's results are sent together: new traces take three round trips in total.
 */
export async function storeRequests(
  client: pg.PoolClient,
  trx: Database,
  requests: StoreRequest[],
  {
    publicUrl,
    maxDerivedSpans = MAX_SPANS_DERIVED_HERE,
  }: { publicUrl: string; maxDerivedSpans?: number | undefined },
): Promise<StoredRequest[]> {
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  const yieldIfLarge = async () => {
    if (bytes > LARGE_BYTES) await nextEventLoopIteration();
  };
  const batches = groupByWorkspace(requests);
  await yieldIfLarge();
  const [claimed, pricesOf, definitionsOf] = await Promise.all([
    claimIds(trx.directory, requests),
    readPrices(trx, batches),
    readDefinitionsOf(trx, batches),
  ]);
  const locked: LockedBatch[] = [];
  for (const batch of batches) locked.push(await lockBatch(trx, batch, claimed));
  await yieldIfLarge();

  const rows = new TraceRows({ traceCount: claimed.size, jsonBytes: bytes });
  const written: WrittenBatch[] = [];
  for (const unpriced of locked) {
    const prices = pricesOf.get(unpriced.workspaceId);
    const batch = prices ? priceTraces(unpriced, prices) : unpriced;
    const definitions = definitionsOf.get(batch.workspaceId) ?? BUILT_IN_DEFINITIONS;
    const encoded = await encodeBatch(trx, batch, rows, definitions);
    const hasPieces = batch.requests.some(({ pieces }) => pieces.length > 0);
    const merged = hasPieces
      ? await mergePieces(client, trx, batch, { rows, prices, maxDerivedSpans, definitions })
      : undefined;
    const { existing } = batch;
    const isStored = (id: string) => existing.has(id);
    await replaceCarriedScores(trx, batch.workspaceId, encoded.scores, { origin: "event", isStored });
    if (merged)
      await replaceCarriedScores(trx, batch.workspaceId, merged.scores, { origin: "otlp", isStored });
    written.push({ batch, encoded, merged, definitions });
  }
  const tables = await rows.tables();
  await yieldIfLarge();
  const copied = copyRows(client, tables);
  const saved = written.map(({ batch, encoded }) => saveManifests(trx, batch.workspaceId, encoded.manifests));
  const stored = written.map(toStoredBatch);
  const [crossed] = await Promise.all([updateCounters(trx, stored), copied, ...saved]);
  for (const one of written) await finishRuns(trx, one);
  await queueUsageMails(trx, crossed, publicUrl);
  const results = new Map(written.flatMap(toResults));
  return requests.map((request) => results.get(request) ?? NOTHING);
}

/** What the steps of the transaction found about one workspace's requests. */
interface WrittenBatch {
  batch: LockedBatch;
  encoded: EncodedBatch;
  /** Undefined if no request has pieces. */
  merged: MergedPieces | undefined;
  definitions: Definitions;
}

/** Judges runs whose rows say more than what was sent, and writes the problems of all. */
async function finishRuns(trx: Database, one: WrittenBatch): Promise<void> {
  const { batch, encoded, merged, definitions } = one;
  const { workspaceId, existing } = batch;
  const before = new Map([...existing.values()].map(({ id, problems }) => [id, problems]));
  const refreshed = await refreshComputedColumns(trx, workspaceId, merged?.outdatedTraces ?? []);
  const judged = await refreshOutcomes(trx, workspaceId, tracesToJudge(one), definitions, before);
  // What was judged last counts.
  const runs = [...encoded.runs, ...(merged?.runs ?? []), ...refreshed, ...judged.runs];
  await writeProblems(trx, workspaceId, [...new Map(runs.map((run) => [run.id, run])).values()]);
}

/** Traces that were judged without their scores, or without events and decisions that came in other pieces. */
function tracesToJudge({
  batch: { requests, existing },
  encoded,
  merged,
  definitions,
}: WrittenBatch): string[] {
  const hasScores = ({ id }: { id: string }) => {
    const before = existing.get(id);
    return (
      before !== undefined && (before.scoreCount > 0 || encoded.scores.has(id) || merged?.scores.has(id))
    );
  };
  return requests.flatMap(({ traces, pieces }) => [
    ...traces.filter(hasScores).map(({ id }) => id),
    ...pieces.filter((piece) => hasScores(piece) || !definitions.isBuiltIn).map(({ id }) => id),
  ]);
}

/** From a cache: traces that are stored by old definitions are judged again by whoever changed them. */
async function readDefinitionsOf(
  trx: Database,
  batches: WorkspaceBatch[],
): Promise<ReadonlyMap<WorkspaceId, Definitions>> {
  const read = batches.map(
    async ({ workspaceId }) => [workspaceId, await cachedDefinitions(trx, workspaceId)] as const,
  );
  return new Map(await Promise.all(read));
}

const toStoredBatch = ({ batch, encoded, merged }: WrittenBatch): StoredBatch => ({
  workspaceId: batch.workspaceId,
  existing: batch.existing,
  requests: batch.requests.map(({ request, traces, pieces }) => ({
    keyId: request.keyId,
    maskingVersion: request.maskingVersion,
    traces: merged ? [...traces, ...pieces.flatMap(({ id }) => merged.summaries.get(id) ?? [])] : traces,
  })),
  counts: merged ? sumChanges([encoded.counts, merged.counts]) : encoded.counts,
});

const toResults = ({ batch, merged }: WrittenBatch) =>
  batch.requests.map(({ request, traces, pieces }): [StoreRequest, StoredRequest] => {
    const rejected = new Map(
      pieces.flatMap(({ id }) => {
        const reason = merged?.rejected.get(id);
        return reason === undefined ? [] : [[id, reason] as const];
      }),
    );
    const ids = [...traces, ...pieces].map(({ id }) => id).filter((id) => !rejected.has(id));
    return [request, { ids: new Set(ids), rejected }];
  });
