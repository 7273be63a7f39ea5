import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { ParsedTrace } from "@whytrace/contract";
import type pg from "pg";
import { requireKeys } from "../api-keys/revoke-api-key.ts";
import { type CrossedThreshold, countUsage, queueUsageMails } from "../billing/usage.ts";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { type Connections, GROUP_CONNECTIONS } from "../db/connections.ts";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import type { Node } from "../db/node.ts";
import { directoryOf, isSharded } from "../db/sharding.ts";
import { sqlState, UNIQUE_VIOLATION } from "../db/sql-state.ts";
import { clientTransaction } from "../db/transaction.ts";
import type { Live } from "../live/live.ts";
import { type RecordedChange, recordChanges } from "../live/record-changes.ts";
import { claimIds, lockTraces, reclaimIds } from "./claim-ids.ts";
import { dayOf, touchDays } from "./decision-days.ts";
import { TraceRows, uuidBytes } from "./encode-traces.ts";
import { GroupCommit } from "./group-commit.ts";
import { saveManifests } from "./manifests.ts";
import { mergePieces } from "./merge-pieces.ts";
import { priceTraces } from "./price-traces.ts";
import { refreshFacts } from "./refresh-facts.ts";
import { deleteRemains } from "./remove-remains.ts";
import { replaceTraces } from "./replace-traces.ts";
import {
  groupByTenant,
  requestIds,
  type StoreRequest,
  type TenantBatch,
  type TraceSummary,
} from "./tenant-batch.ts";
import { addTotals, addTrace } from "./totals.ts";
import { hasManifest, TraceManifest } from "./trace-manifest.ts";
import type { PieceMerge } from "./trace-piece.ts";
import { addAgentSessions, refreshAgentSessions } from "./track-agent-sessions.ts";

/** Batches over this size let other requests run between the steps of their transaction. */
const LARGE_BYTES = 1024 * 1024;

export interface TraceStoreOptions {
  connections: Connections;
  publicUrl: string;
  live: Live;
  /** Whether payloads are packed. If not, they are written into the rows of their spans and events. */
  packPayloads: boolean;
  /** Traces with more spans are derived elsewhere. */
  maxDerivedSpans?: number;
}

/** So many spans are derived in tens of milliseconds. */
export const MAX_SPANS_DERIVED_HERE = 4_000;

export class TraceStore {
  readonly #options: TraceStoreOptions;
  /** Users of one node share transactions. */
  readonly #groupCommits = new Map<Node, GroupCommit<StoreRequest, StoredRequest>>();

  constructor(options: TraceStoreOptions) {
    this.#options = options;
  }

  async #groupCommit(userId: string): Promise<GroupCommit<StoreRequest, StoredRequest>> {
    const node = await this.#options.connections.nodeOf(userId);
    let groupCommit = this.#groupCommits.get(node);
    if (!groupCommit) {
      groupCommit = this.#newGroupCommit(node);
      this.#groupCommits.set(node, groupCommit);
    }
    return groupCommit;
  }

  #newGroupCommit({ group, sharding }: Node): GroupCommit<StoreRequest, StoredRequest> {
    const { writes } = this.#options.connections;
    return new GroupCommit({
      maxWriters: GROUP_CONNECTIONS,
      storeGroup: (requests) => this.#store(requests, (work) => clientTransaction(group, work, sharding)),
      storeAlone: async (request) => {
        const [stored = NOTHING] = await this.#storeAlone(request).catch(async (error: unknown) => {
          if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
          // A trace with one of these ids was deleted by hand, or by an older server, which leaves packed payloads.
          await writes.transaction(request.userId, (_client, trx) =>
            deleteRemains(trx, request.userId, request.keys),
          );
          return this.#storeAlone(request);
        });
        return stored;
      },
    });
  }

  /** Requests that wait for a shared transaction. None is refused: the memory of bodies limits them. */
  get waiting() {
    return [...this.#groupCommits.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  readonly refused = 0;

  /**
   * Stores a checked batch, completely or not at all, and returns how many of its traces were stored or replaced. The batch
   * is on disk when the function returns. Small batches that arrive at the same time share a transaction.
   */
  async store({ userId, keyId }: Sender, batch: ParsedTrace[], bytes: number): Promise<number> {
    const keys = batch.map(({ id }) => id);
    const groupCommit = await this.#groupCommit(userId);
    const { ids } = await groupCommit.store({ userId, keyId, batch, bytes, keys });
    return batch.filter(({ id }) => ids.has(id)).length;
  }

  /** Merges pieces into their traces, like `store`. */
  async merge({ userId, keyId }: Sender, merge: PieceMerge, bytes: number): Promise<StoredRequest> {
    const keys = [...merge.pieces.keys()];
    const groupCommit = await this.#groupCommit(userId);
    return groupCommit.store({ userId, keyId, batch: [], merge, bytes, keys });
  }

  #storeAlone(request: StoreRequest): Promise<StoredRequest[]> {
    const { writes } = this.#options.connections;
    return this.#store([request], (work) => writes.transaction(request.userId, work));
  }

  async #store(
    requests: StoreRequest[],
    transaction: (work: StoreWork) => Promise<StoredRequest[]>,
  ): Promise<StoredRequest[]> {
    const { live } = this.#options;
    const stored = await transaction((client, trx) => storeRequests(client, trx, requests, this.#options));
    for (const userId of new Set(requests.map((request) => request.userId))) live.changed(userId);
    return stored;
  }
}

/** What became of one request. */
export interface StoredRequest {
  /** The ids of its traces, without those that were skipped. */
  ids: ReadonlySet<string>;
  /** Why pieces of the user's own traces were skipped, by the id of their trace. */
  rejected: ReadonlyMap<string, string>;
}

const NOTHING: StoredRequest = { ids: new Set(), rejected: new Map() };

interface Sender {
  userId: string;
  keyId?: string;
}

type StoreWork = (client: pg.PoolClient, trx: Database) => Promise<StoredRequest[]>;

/**
 * Stores one or several requests in one transaction; no two of them name the same trace. Returns what each stored.
 *
 * Every transaction takes its locks in this order, so that transactions wait for each other without a deadlock:
 *   1. the trace ids, sorted, in `trace_owners`: this claims new ids, and waits for ids that another transaction is
 *      claiming;
 *   2. user by user, sorted: the user's existing traces, sorted by id. Ids that are neither new nor the user's belong to
 *      another user and are skipped;
 *   3. the subscriptions of users with new traces, sorted; then the totals of all users, sorted; then their agent sessions
 *      and changes. These come last, so that they are held briefly. With both locks held, the API keys are checked again.
 *
 * Statements that do not need each other's results are sent together: new traces take three round trips in total.
 */
async function storeRequests(
  client: pg.PoolClient,
  trx: Database,
  requests: StoreRequest[],
  { publicUrl, packPayloads, maxDerivedSpans = MAX_SPANS_DERIVED_HERE }: TraceStoreOptions,
): Promise<StoredRequest[]> {
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  const yieldIfLarge = async () => {
    if (bytes > LARGE_BYTES) await nextEventLoopTurn();
  };
  const tenants = groupByTenant(requests);
  await yieldIfLarge();
  const [createdCount] = await Promise.all([claimTraces(trx, tenants), priceTraces(trx, tenants)]);
  for (const tenant of tenants) await lockExisting(trx, tenant);
  await yieldIfLarge();

  const rows = new TraceRows({ traceCount: createdCount, jsonBytes: bytes, isPacked: packPayloads });
  for (const tenant of tenants) {
    await encodeTraces(trx, tenant, rows);
    await mergePieces(client, trx, tenant, rows, maxDerivedSpans);
  }
  const tables = await rows.tables();
  await yieldIfLarge();
  const copied = copyRows(client, tables);
  const saved = tenants.map(({ userId, manifests }) => saveManifests(trx, userId, manifests));
  const [crossed] = await Promise.all([updateCounters(trx, tenants), copied, ...saved]);
  for (const { userId, outdatedFacts } of tenants) await refreshFacts(trx, userId, outdatedFacts);
  await queueUsageMails(trx, crossed, publicUrl);
  const stored = new Map(
    tenants.flatMap((tenant) =>
      tenant.requests.map(
        (one) => [one.request, { ids: new Set(requestIds(one)), rejected: one.rejected }] as const,
      ),
    ),
  );
  return requests.map((request) => stored.get(request) ?? NOTHING);
}

/** Claims the ids that nobody owns yet; returns how many. */
async function claimTraces(trx: Database, tenants: TenantBatch[]): Promise<number> {
  const ids = tenants.flatMap(({ userId, requests }) =>
    requests
      .filter(({ request }) => !request.merge?.isExistingOnly)
      .flatMap((one) => requestIds(one).map((id) => ({ id, userId }))),
  );
  const claimed = await claimIds(directoryOf(trx), ids);
  for (const { requests } of tenants)
    for (const request of requests)
      request.created = new Set(requestIds(request).filter((id) => claimed.has(id)));
  return claimed.size;
}

/** Locks the user's existing traces, and removes traces of other users from the batch. */
async function lockExisting(trx: Database, tenant: TenantBatch): Promise<void> {
  const taken = tenant.requests.flatMap((one) => requestIds(one).filter((id) => !one.created.has(id)));
  if (taken.length === 0) return;
  tenant.existing = await lockTraces(trx, tenant.userId, taken.sort());
  const missing = tenant.requests
    .filter(({ request }) => !request.merge?.isExistingOnly)
    .flatMap((one) => requestIds(one).filter((id) => !one.created.has(id) && !tenant.existing.has(id)));
  const reclaimed = new Set(await reclaimIds(trx, tenant.userId, missing));
  for (const one of tenant.requests)
    for (const id of requestIds(one)) {
      if (reclaimed.has(id)) one.created.add(id);
      else if (!one.created.has(id) && !tenant.existing.has(id)) {
        one.traces.delete(id);
        one.pieces.delete(id);
      }
    }
  leaveOutDerived(tenant);
}

/** A worker that waited for the lock need not derive a trace that its spans' own transaction has derived meanwhile. */
function leaveOutDerived({ requests, existing }: TenantBatch): void {
  for (const { request, pieces } of requests)
    if (request.merge?.isLate)
      for (const id of pieces.keys()) if (!existing.get(id)?.isDerivationDue) pieces.delete(id);
}

/** Encodes the rows of new traces, and replaces existing ones up to the rows that still have to be copied. */
async function encodeTraces(trx: Database, tenant: TenantBatch, rows: TraceRows): Promise<void> {
  const replacements = await runInTimeSlices(encodeNewTraces(tenant, rows));
  if (replacements.length > 0) await replaceTraces(trx, tenant, replacements, rows);
}

/** Returns the traces that exist already. */
function* encodeNewTraces(tenant: TenantBatch, rows: TraceRows): Generator<undefined, ParsedTrace[]> {
  const { userId, requests, totalsChange, manifests, decisionDays } = tenant;
  const user = uuidBytes(userId);
  const replacements: ParsedTrace[] = [];
  for (const { traces, created } of requests)
    for (const trace of traces.values()) {
      if (!created.has(trace.id)) {
        replacements.push(trace);
        continue;
      }
      const manifest = hasManifest(trace) ? new TraceManifest(trace, undefined) : undefined;
      const packed = yield* rows.addPayloads(user, trace);
      if (manifest) {
        manifest.packed = packed;
        manifests.set(trace.id, manifest);
      }
      rows.addTrace(user, trace, manifest);
      yield* rows.addChildren(user, trace);
      addTrace(totalsChange, trace);
      if (trace.decisionPoints.length > 0) decisionDays.add(dayOf(trace.startedAt));
      yield;
    }
  return replacements;
}

/** Sends the last statements together, in this order. Returns the thresholds of plans that requests crossed. */
async function updateCounters(trx: Database, tenants: TenantBatch[]): Promise<CrossedThreshold[]> {
  const changes = tenants
    .map(({ userId, requests, existing, totalsChange, decisionDays }) => {
      const stored: TraceSummary[] = requests.flatMap(({ traces, merged }) => [
        ...traces.values(),
        ...merged,
      ]);
      const created = new Set(requests.flatMap((request) => [...request.created]));
      return { userId, requests, existing, change: totalsChange, decisionDays, stored, created };
    })
    .filter(({ stored }) => stored.length > 0);
  if (changes.length === 0) return [];
  // Replacing a trace uses up nothing of the plan, so the plan of a request that only replaces is not locked.
  const usage = changes
    .map(({ userId, requests }) => ({
      userId,
      newTraces: requests.map(({ created }) => created.size).filter((count) => count > 0),
    }))
    .filter(({ newTraces }) => newTraces.length > 0);
  const usageCounted = countUsage(trx, usage);
  const totalsAdded = addTotals(trx, changes);
  const keyIds = changes.flatMap(({ requests }) => requests.flatMap(({ request }) => request.keyId ?? []));
  // Both locks are held now, for which the revocation of a key waits. On another connection, the check has to wait for them.
  const keysChecked = isSharded(trx)
    ? Promise.allSettled([usageCounted, totalsAdded]).then(() =>
        requireKeys(directoryOf(trx), new Set(keyIds)),
      )
    : requireKeys(trx, new Set(keyIds));
  const recordVersions = async (versions?: ReadonlyMap<string, number>) => {
    const days = changes.map(({ userId, decisionDays }) => ({
      userId,
      days: decisionDays,
      version: versions?.get(userId),
    }));
    const recorded: RecordedChange[] = changes.map(({ userId, stored, created }) => ({
      userId,
      version: versions?.get(userId),
      traces: stored.map(({ id, status }) => ({
        id,
        change: created.has(id) ? "new" : "replaced",
        status,
      })),
    }));
    await Promise.all([touchDays(trx, days), recordChanges(trx, recorded)]);
  };
  const [crossed] = await Promise.all([
    // A deleted account has no subscription either. As before the body was read, the key is the first thing to be checked.
    usageCounted.catch(async (error: unknown) => {
      await keysChecked;
      throw error;
    }),
    keysChecked,
    totalsAdded,
    isSharded(trx) ? totalsAdded.then(recordVersions) : recordVersions(),
    addAgentSessions(
      trx,
      changes.map(({ userId, stored, created }) => ({
        userId,
        traces: stored.filter(({ id }) => created.has(id)),
      })),
    ),
    ...changes.map((change) => refreshAgentSessions(trx, change.userId, movedAgentSessions(change))),
  ]);
  return crossed;
}

/** The agent sessions that a replaced trace left or joined, or in which its start changed. Usually there are none. */
function movedAgentSessions({
  stored,
  existing,
}: {
  stored: TraceSummary[];
  existing: TenantBatch["existing"];
}): (string | null)[] {
  return stored.flatMap(({ id, sessionId, startedAt }) => {
    const before = existing.get(id);
    const isSame = before?.sessionId === sessionId && Date.parse(before.startedAt) === startedAt;
    return before && !isSame ? [before.sessionId, sessionId] : [];
  });
}
