import { setImmediate as nextTurn } from "node:timers/promises";
import type { ParsedTrace } from "@whytrace/contract";
import type pg from "pg";
import { countUsage } from "../billing/usage.ts";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import { clientTransaction } from "../db/transaction.ts";
import type { Live } from "../live/live.ts";
import { recordChanges } from "../live/record-changes.ts";
import { claimIds, type LockedTrace, lockTraces, reclaimIds } from "./claim-ids.ts";
import { TraceRows, uuidBytes } from "./encode-traces.ts";
import { SharedTransactions } from "./group-commit.ts";
import { keepManifests } from "./manifests.ts";
import { replaceTraces } from "./replace-traces.ts";
import { addTotals, addTrace, noTotals, type Totals } from "./totals.ts";
import { isKeptBookOf, TraceManifest } from "./trace-manifest.ts";
import { noteSessions, trackSessions } from "./track-sessions.ts";

const LARGE_BYTES = 1024 * 1024;

export interface TraceStore {
  pool: pg.Pool;
  publicUrl: string;
  live: Live;
}

/** What one request sent. */
interface Sending {
  userId: string;
  batch: ParsedTrace[];
  bytes: number;
  keys: string[];
}

const shared = new WeakMap<pg.Pool, SharedTransactions<Sending, number>>();

/**
 * Stores a checked batch and returns how many of its traces were stored or replaced: whole or not at all, and on the
 * disk when it returns. Small ones that come at the same time share a transaction.
 */
export function storeTraces(
  store: TraceStore,
  userId: string,
  batch: ParsedTrace[],
  bytes: number,
): Promise<number> {
  let transactions = shared.get(store.pool);
  if (!transactions) {
    transactions = new SharedTransactions((sendings) => storeSendings(store, sendings));
    shared.set(store.pool, transactions);
  }
  return transactions.store({ userId, batch, bytes, keys: batch.map(({ id }) => id) });
}

/** One request's part in a transaction. */
interface Part {
  sending: Sending;
  /** The same id twice: in the order sent, the last one stands. */
  traces: Map<string, ParsedTrace>;
  created: Set<string>;
}

/** A user's part in a transaction: all the requests of theirs that take part. */
interface Share {
  userId: string;
  parts: Part[];
  replaced: Map<string, LockedTrace>;
  /** What all of it changes in the user's totals. */
  change: Totals;
  /** The book of running traces, by their ids. */
  manifests: Map<string, TraceManifest>;
}

/**
 * One transaction for one or several requests, no two of which name the same trace.
 *
 * Locks are taken in one order by everybody, so that batches which cross wait for each other and never in a ring:
 *   1. the trace ids, sorted, in the registry of owners: new ones become the sender's, ones just being claimed by
 *      somebody else are waited for;
 *   2. user by user, sorted, their existing traces, sorted; ids that are neither are somebody else's and skipped;
 *   3. the subscriptions of users with new traces, sorted; then everybody's totals, sorted, and behind them their
 *      sessions and record of changes, last and shortly.
 * Of replaced traces the children that changed are deleted; everything is written in bulk by COPY. What does not wait
 * for an answer is sent in one go: new traces take three round trips, whatever their number.
 */
async function storeSendings({ pool, publicUrl, live }: TraceStore, sendings: Sending[]): Promise<number[]> {
  const bytes = sendings.reduce((sum, sending) => sum + sending.bytes, 0);
  // A batch of tens of thousands of traces lets others have their turn between the steps.
  const pause = async () => void (bytes > LARGE_BYTES && (await nextTurn()));
  const counts = await clientTransaction(pool, async (client, trx) => {
    const shares = sharesOf(sendings);
    const parts = shares.flatMap((share) => share.parts);
    await pause();
    const claimed = await claimIds(
      trx,
      parts.flatMap(({ sending: { userId }, traces }) => [...traces.keys()].map((id) => ({ id, userId }))),
    );
    for (const part of parts) part.created = new Set([...part.traces.keys()].filter((id) => claimed.has(id)));
    for (const share of shares) await findReplaced(trx, share);
    await pause();

    const rows = new TraceRows(claimed.size, bytes);
    for (const share of shares) await encodeShare(trx, share, rows);
    await pause();
    const copied = copyRows(client, rows.tables());
    const kept = shares.map(({ userId, manifests }) => keepManifests(trx, userId, manifests));
    await Promise.all([copied, ...kept, ...countShares(trx, shares, publicUrl)]);
    return sendings.map((sending) => {
      const part = parts.find((one) => one.sending === sending);
      return sending.batch.filter(({ id }) => part?.traces.has(id)).length;
    });
  });
  for (const userId of new Set(sendings.map((sending) => sending.userId))) live.changed(userId);
  return counts;
}

function sharesOf(sendings: Sending[]): Share[] {
  const byUser = Map.groupBy(sendings, ({ userId }) => userId);
  return [...byUser]
    .map(([userId, own]) => ({
      userId,
      parts: own.map((sending) => ({
        sending,
        traces: new Map(sending.batch.map((trace) => [trace.id, trace])),
        created: new Set<string>(),
      })),
      replaced: new Map<string, LockedTrace>(),
      change: noTotals(),
      manifests: new Map<string, TraceManifest>(),
    }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

/** Locks what is there already and forgets what is somebody else's. */
async function findReplaced(trx: Database, share: Share): Promise<void> {
  const taken = share.parts.flatMap(({ traces, created }) =>
    [...traces.keys()].filter((id) => !created.has(id)),
  );
  if (taken.length === 0) return;
  share.replaced = await lockTraces(trx, share.userId, taken.sort());
  const missing = taken.filter((id) => !share.replaced.has(id));
  const own = new Set(await reclaimIds(trx, share.userId, missing));
  for (const { traces, created } of share.parts)
    for (const id of traces.keys()) {
      if (own.has(id)) created.add(id);
      else if (!created.has(id) && !share.replaced.has(id)) traces.delete(id);
    }
}

/** New traces become rows; those that are there already are replaced, up to the rows still to be copied. */
async function encodeShare(
  trx: Database,
  { userId, parts, replaced, change, manifests }: Share,
  rows: TraceRows,
) {
  const user = uuidBytes(userId);
  const replacements: ParsedTrace[] = [];
  for (const { traces, created } of parts)
    for (const trace of traces.values()) {
      if (!created.has(trace.id)) {
        replacements.push(trace);
        continue;
      }
      if (isKeptBookOf(trace)) manifests.set(trace.id, new TraceManifest(trace, null));
      rows.addTrace(user, trace);
      rows.addChildren(user, trace);
      addTrace(change, trace);
    }
  if (replacements.length > 0)
    await replaceTraces(trx, userId, { replacements, replaced, rows, change, manifests });
}

/** The last statements: they take the users' locks and are sent together, in this order, each for all users it concerns. */
function countShares(trx: Database, shares: Share[], publicUrl: string): Promise<void>[] {
  // A request that only replaces counts for nothing: its plan was looked at when it came.
  const usage = shares
    .map(({ userId, parts }) => ({
      userId,
      newTraces: parts.map(({ created }) => created.size).filter((count) => count > 0),
    }))
    .filter(({ newTraces }) => newTraces.length > 0);
  const changes = shares.flatMap(({ userId, parts, replaced, change }) => {
    const stored = parts.flatMap(({ traces }) => [...traces.values()]);
    const newIds = new Set(parts.flatMap(({ created }) => [...created]));
    const traces = stored.filter(({ id }) => newIds.has(id));
    return stored.length === 0 ? [] : [{ userId, change, replaced, stored, newIds, traces }];
  });
  if (changes.length === 0) return [];
  return [
    countUsage(trx, usage, publicUrl),
    addTotals(trx, changes),
    noteSessions(trx, changes),
    ...changes.map(({ userId, stored, replaced }) =>
      trackSessions(trx, userId, movedSessions(stored, replaced)),
    ),
    recordChanges(
      trx,
      changes.map(({ userId, stored, newIds }) => ({
        userId,
        traces: stored.map(({ id, status }) => ({ id, change: newIds.has(id) ? "new" : "replaced", status })),
      })),
    ),
  ];
}

/** The sessions that replaced traces left, joined or have another start in; mostly there are none. */
function movedSessions(stored: ParsedTrace[], replaced: ReadonlyMap<string, LockedTrace>): (string | null)[] {
  return stored.flatMap(({ id, sessionId, startedAt }) => {
    const before = replaced.get(id);
    const isSame = before?.sessionId === sessionId && Date.parse(before.startedAt) === startedAt;
    return before && !isSame ? [before.sessionId, sessionId] : [];
  });
}
