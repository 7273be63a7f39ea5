import { MAX_SCORES_PER_TRACE, MAX_WAITING_SCORES } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { groupByWorkspace } from "../batch/workspace-batch.ts";
import { refreshOutcomes, type ScoredChange } from "../outcomes/refresh-outcomes.ts";
import type { Groupable } from "../store/group-commit.ts";
import { countScoredTraces, type MaskedChange } from "./count-scored-traces.ts";
import { type LockedScored, lockScoredTraces } from "./lock-scored-traces.ts";
import { type ParsedScore, scoreDigest } from "./parsed-score.ts";
import { labelOf, type NewScore } from "./score-rows.ts";
import { writeScoreRows } from "./write-score-rows.ts";

const DAY_MS = 86_400_000;
/** A score that is older than its trace by more is about an earlier trace with the same id. */
export const MAX_DAYS_BEFORE_TRACE = 30;
const RETRY_WAITING_S = 3_600;

export const TOO_MANY_WAITING = `Too many scores wait for their traces (${MAX_WAITING_SCORES})`;
export const TOO_MANY_OF_TRACE = `Score limit of trace <id> reached (${MAX_SCORES_PER_TRACE})`;

/** The scores of one request. */
export interface ScoreRequest extends Groupable {
  /** The API key that was sent; undefined if a member or the server itself stores them. */
  keyId: string | undefined;
  scores: ParsedScore[];
  /** The version of the rules by which comments were masked. */
  maskingVersion: number;
}

/**
 * Stores the scores of one or several requests in one transaction; no two of them name the same score or trace. Returns the
 * workspaces whose traces changed.
 *
 * Locks are taken in the order of `store-requests.ts`: workspace by workspace, sorted, the traces, sorted by id; then their scores,
 * sorted by id, as a deletion of traces does it; then the totals.
 */
export async function storeScores(trx: Database, requests: ScoreRequest[]): Promise<WorkspaceId[]> {
  const changes: MaskedChange[] = [];
  for (const { workspaceId, requests: own } of groupByWorkspace(requests)) {
    const newest = newestOfEachId(own.flatMap(({ scores }) => scores));
    const maskedBy = own.map(({ maskingVersion }) => maskingVersion);
    changes.push({ ...(await storeOfWorkspace(trx, workspaceId, newest)), maskedBy });
  }
  const keyIds = requests.flatMap(({ keyId }) => keyId ?? []);
  await countScoredTraces(trx, changes, { keyIds });
  return changes.flatMap(({ workspaceId, traces }) => (traces.length > 0 ? workspaceId : []));
}

type DigestedScore = ParsedScore & { digest: bigint };

function newestOfEachId(scores: ParsedScore[]): DigestedScore[] {
  const now = Date.now();
  const newest = new Map<string, DigestedScore>();
  for (const score of scores) {
    const digested = { ...score, digest: scoreDigest(score) };
    const before = newest.get(score.id);
    if (!before || isLater(digested, before, now)) newest.set(score.id, digested);
  }
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A score without a timestamp, or with one that is too far ahead, is given when it arrives. */
const givenAt = ({ timestamp }: ParsedScore, arrivedMs: number) =>
  timestamp !== null && timestamp <= arrivedMs + DAY_MS ? timestamp : undefined;

function isLater(a: DigestedScore, b: DigestedScore, now: number): boolean {
  const [atA, atB] = [givenAt(a, now) ?? now, givenAt(b, now) ?? now];
  return atA === atB ? a.digest > b.digest : atA > atB;
}

async function storeOfWorkspace(
  trx: Database,
  workspaceId: WorkspaceId,
  scores: DigestedScore[],
): Promise<ScoredChange> {
  const ids = scores.map(({ id }) => id);
  const { arrivedAt, traceIds: storedIn } = await readPlaces(trx, workspaceId, ids);
  const traceIds = [...new Set([...storedIn, ...scores.map(({ traceId }) => traceId)])].sort();
  const locked = await lockScoredTraces(trx, workspaceId, traceIds);
  const sent = scores.map((score) => toNewScore(score, arrivedAt, locked));
  if (sent.some(({ isWaiting }) => isWaiting)) await lockWaiting(trx, workspaceId);
  const written = await writeScoreRows(trx, workspaceId, sent, new Set(traceIds));
  await checkLimits(trx, workspaceId, written);
  const judged = written.traceIds.filter((id) => locked.has(id));
  return refreshOutcomes(trx, workspaceId, judged, await readDefinitions(trx, workspaceId));
}

/** When the scores arrived, by the database's clock, and the traces of those that are stored already. */
async function readPlaces(trx: Database, workspaceId: WorkspaceId, ids: string[]) {
  const [clock, stored] = await Promise.all([
    sql<{ now: string }>`select clock_timestamp()::text as now`.execute(trx),
    sql<{ traceId: string }>`
      select distinct trace_id from scores where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(
      trx,
    ),
  ]);
  return { arrivedAt: clock.rows[0]?.now ?? "", traceIds: stored.rows.map((row) => row.traceId) };
}

function toNewScore(
  digested: DigestedScore,
  arrivedAt: string,
  locked: ReadonlyMap<string, LockedScored>,
): NewScore {
  const { digest, ...score } = digested;
  const arrivedMs = Date.parse(arrivedAt);
  const givenMs = givenAt(score, arrivedMs);
  const trace = locked.get(score.traceId);
  return {
    ...score,
    label: labelOf(score),
    timestamp: givenMs === undefined ? arrivedAt : new Date(givenMs).toISOString(),
    digest: String(digest),
    isWaiting:
      !trace || (givenMs ?? arrivedMs) < Date.parse(trace.startedAt) - MAX_DAYS_BEFORE_TRACE * DAY_MS,
  };
}

/** Serializes what waits, so that concurrent requests cannot exceed the limits. */
async function lockWaiting(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scores ${workspaceId}`}, 0))`.execute(trx);
}

async function checkLimits(
  trx: Database,
  workspaceId: WorkspaceId,
  { newIn, hasNewWaiting }: { newIn: string[]; hasNewWaiting: boolean },
): Promise<void> {
  if (newIn.length > 0) {
    const { rows } = await sql<{ traceId: string }>`
      select trace_id from scores where workspace_id = ${workspaceId} and trace_id = any(${textList(newIn)})
      group by trace_id having count(*) > ${MAX_SCORES_PER_TRACE} order by trace_id limit 1`.execute(trx);
    if (rows[0])
      throw new HttpError(
        409,
        TOO_MANY_OF_TRACE.replace("<id>", () => rows[0]?.traceId ?? ""),
      );
  }
  if (!hasNewWaiting) return;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from scores where workspace_id = ${workspaceId} and is_waiting limit ${MAX_WAITING_SCORES + 1}
    ) as waiting`.execute(trx);
  if ((rows[0]?.count ?? 0) > MAX_WAITING_SCORES)
    throw HttpError.tooManyRequests(TOO_MANY_WAITING, RETRY_WAITING_S);
}
