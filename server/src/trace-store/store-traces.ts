import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { ParsedTrace } from "@whytrace/contract";
import type pg from "pg";
import { countUsage } from "../billing/usage.ts";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import { clientTransaction } from "../db/transaction.ts";
import type { Live } from "../live/live.ts";
import { recordChanges } from "../live/record-changes.ts";
import { claimIds, lockTraces, reclaimIds } from "./claim-ids.ts";
import { TraceRows, uuidBytes } from "./encode-traces.ts";
import { GroupCommit } from "./group-commit.ts";
import { saveManifests } from "./manifests.ts";
import { replaceTraces } from "./replace-traces.ts";
import { groupByTenant, type StoreRequest, type TenantBatch } from "./tenant-batch.ts";
import { addTotals, addTrace } from "./totals.ts";
import { hasManifest, TraceManifest } from "./trace-manifest.ts";
import { addAgentSessions, refreshAgentSessions } from "./track-agent-sessions.ts";

/** Batches over this size let other requests run between the steps of their transaction. */
const LARGE_BYTES = 1024 * 1024;

export interface TraceStore {
  pool: pg.Pool;
  publicUrl: string;
  live: Live;
}

const groupCommits = new WeakMap<pg.Pool, GroupCommit<StoreRequest, number>>();

/**
 * Stores a checked batch, completely or not at all, and returns how many of its traces were stored or replaced. The batch
 * is on disk when the function returns. Small batches that arrive at the same time share a transaction.
 */
export function storeTraces(
  store: TraceStore,
  userId: string,
  batch: ParsedTrace[],
  bytes: number,
): Promise<number> {
  let groupCommit = groupCommits.get(store.pool);
  if (!groupCommit) {
    groupCommit = new GroupCommit((requests) => storeRequests(store, requests));
    groupCommits.set(store.pool, groupCommit);
  }
  return groupCommit.store({ userId, batch, bytes, keys: batch.map(({ id }) => id) });
}

/**
 * Stores one or several requests in one transaction; no two of them name the same trace. Returns each request's count.
 *
 * Every transaction takes its locks in this order, so that transactions wait for each other without a deadlock:
 *   1. the trace ids, sorted, in `trace_owners`: this claims new ids, and waits for ids that another transaction is
 *      claiming;
 *   2. user by user, sorted: the user's existing traces, sorted by id. Ids that are neither new nor the user's belong to
 *      another user and are skipped;
 *   3. the subscriptions of users with new traces, sorted; then the totals of all users, sorted; then their agent sessions
 *      and changes. These come last, so that they are held briefly.
 *
 * Statements that do not need each other's results are sent together: new traces take three round trips in total.
 */
async function storeRequests(
  { pool, publicUrl, live }: TraceStore,
  requests: StoreRequest[],
): Promise<number[]> {
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  const yieldIfLarge = async () => {
    if (bytes > LARGE_BYTES) await nextEventLoopTurn();
  };
  const counts = await clientTransaction(pool, async (client, trx) => {
    const tenants = groupByTenant(requests);
    await yieldIfLarge();
    const createdCount = await claimTraces(trx, tenants);
    for (const tenant of tenants) await lockExisting(trx, tenant);
    await yieldIfLarge();

    const rows = new TraceRows(createdCount, bytes);
    for (const tenant of tenants) await encodeTraces(trx, tenant, rows);
    await yieldIfLarge();
    await Promise.all([
      copyRows(client, rows.tables()),
      ...tenants.map(({ userId, manifests }) => saveManifests(trx, userId, manifests)),
      ...updateCounters(trx, tenants, publicUrl),
    ]);
    return storedCounts(tenants, requests);
  });
  for (const userId of new Set(requests.map((request) => request.userId))) live.changed(userId);
  return counts;
}

/** Claims the ids that nobody owns yet; returns how many. */
async function claimTraces(trx: Database, tenants: TenantBatch[]): Promise<number> {
  const ids = tenants.flatMap(({ userId, requests }) =>
    requests.flatMap(({ traces }) => [...traces.keys()].map((id) => ({ id, userId }))),
  );
  const claimed = await claimIds(trx, ids);
  for (const { requests } of tenants)
    for (const request of requests)
      request.created = new Set([...request.traces.keys()].filter((id) => claimed.has(id)));
  return claimed.size;
}

/** Locks the user's existing traces, and removes traces of other users from the batch. */
async function lockExisting(trx: Database, tenant: TenantBatch): Promise<void> {
  const taken = tenant.requests.flatMap(({ traces, created }) =>
    [...traces.keys()].filter((id) => !created.has(id)),
  );
  if (taken.length === 0) return;
  tenant.existing = await lockTraces(trx, tenant.userId, taken.sort());
  const missing = taken.filter((id) => !tenant.existing.has(id));
  const reclaimed = new Set(await reclaimIds(trx, tenant.userId, missing));
  for (const { traces, created } of tenant.requests)
    for (const id of traces.keys()) {
      if (reclaimed.has(id)) created.add(id);
      else if (!created.has(id) && !tenant.existing.has(id)) traces.delete(id);
    }
}

/** Encodes the rows of new traces, and replaces existing ones up to the rows that still have to be copied. */
async function encodeTraces(trx: Database, tenant: TenantBatch, rows: TraceRows): Promise<void> {
  const { userId, requests, totalsChange, manifests } = tenant;
  const user = uuidBytes(userId);
  const replacements: ParsedTrace[] = [];
  for (const { traces, created } of requests)
    for (const trace of traces.values()) {
      if (!created.has(trace.id)) {
        replacements.push(trace);
        continue;
      }
      if (hasManifest(trace)) manifests.set(trace.id, new TraceManifest(trace, null));
      rows.addTrace(user, trace);
      rows.addChildren(user, trace);
      addTrace(totalsChange, trace);
    }
  if (replacements.length > 0) await replaceTraces(trx, tenant, replacements, rows);
}

/** Sends the last statements together, in this order; each is for all users that it concerns. */
function updateCounters(trx: Database, tenants: TenantBatch[], publicUrl: string): Promise<void>[] {
  const changes = tenants
    .map(({ userId, requests, existing, totalsChange }) => {
      const stored = requests.flatMap(({ traces }) => [...traces.values()]);
      const created = new Set(requests.flatMap((request) => [...request.created]));
      return { userId, requests, existing, change: totalsChange, stored, created };
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
  return [
    countUsage(trx, usage, publicUrl),
    addTotals(trx, changes),
    addAgentSessions(
      trx,
      changes.map(({ userId, stored, created }) => ({
        userId,
        traces: stored.filter(({ id }) => created.has(id)),
      })),
    ),
    ...changes.map((change) => refreshAgentSessions(trx, change.userId, movedAgentSessions(change))),
    recordChanges(
      trx,
      changes.map(({ userId, stored, created }) => ({
        userId,
        traces: stored.map(({ id, status }) => ({
          id,
          change: created.has(id) ? "new" : "replaced",
          status,
        })),
      })),
    ),
  ];
}

/** The agent sessions that a replaced trace left or joined, or in which its start changed. Usually there are none. */
function movedAgentSessions({
  stored,
  existing,
}: {
  stored: ParsedTrace[];
  existing: TenantBatch["existing"];
}): (string | null)[] {
  return stored.flatMap(({ id, sessionId, startedAt }) => {
    const before = existing.get(id);
    const isSame = before?.sessionId === sessionId && Date.parse(before.startedAt) === startedAt;
    return before && !isSame ? [before.sessionId, sessionId] : [];
  });
}

/** How many traces of each request were stored; an id that a batch has twice counts twice. */
function storedCounts(tenants: TenantBatch[], requests: StoreRequest[]): number[] {
  const traces = new Map(
    tenants.flatMap((tenant) => tenant.requests.map((one) => [one.request, one.traces] as const)),
  );
  return requests.map((request) => request.batch.filter(({ id }) => traces.get(request)?.has(id)).length);
}
