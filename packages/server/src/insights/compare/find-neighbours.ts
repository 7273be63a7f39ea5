import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type ReleasedTrace, releaseOf } from "../../decision-facts/release.ts";
import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { hasFingerprint, isOfRelease } from "../../traces/decision-conditions.ts";
import { limitFacts } from "../limit-facts.ts";
import type { DecidedRun } from "./run-steps.ts";
import { FACTS_OF_LONG_RUN } from "./run-steps.ts";
import { afterPrefix } from "./step-path.ts";

/** A completed run that is found by the beginning of its decisions. */
export interface Neighbour extends DecidedRun, ReleasedTrace {
  id: string;
  name: string;
  startedAt: string;
  /** Whether somebody judged it. */
  isAnswered: boolean;
}

export interface PathOfRun extends DecidedRun {
  traceId: string;
  agentHash: number;
}

/** Of runs with the same path, the index decides which are found: to sort them, all would be read. Those that are found are in one order. */
const MAX_NEIGHBOURS = 20;
export const NEIGHBOUR_COLUMNS = sql`id, name, tags, service_version, started_at, decision_path as path, ${FACTS_OF_LONG_RUN} as facts,
  outcome_flags & ${sql.lit(OUTCOME_FLAGS.answered)} <> 0 as is_answered`;

/** Finds one completed run of the agent by its id. */
export async function findNeighbour(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash }: PathOfRun,
  id: string,
): Promise<Neighbour[]> {
  const { rows } = await sql<Neighbour>`
    select ${NEIGHBOUR_COLUMNS} from traces
    where workspace_id = ${workspaceId} and id = ${id} and agent_hash = ${agentHash} and status = 'COMPLETED' and outcome = 0
      and decision_path is not null`.execute(db);
  return rows;
}

/** Runs on each side that are looked through for another release: those farther away have little in common. */
const MAX_LOOKED_THROUGH = 300;

/** Finds completed runs that are as similar as can be, among those of other releases that started before a time. */
export async function findInEarlierReleases(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, path }: PathOfRun,
  { release, startedAt }: { release: string; startedAt: string },
): Promise<Neighbour[]> {
  const completed = sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash} and status = 'COMPLETED' and outcome = 0`;
  const isEarlier = sql`started_at < ${startedAt} and not ${isOfRelease(release)}`;
  const sides = [
    { near: sql`decision_path >= ${path}`, order: sql`decision_path`, nearest: sql`path, id` },
    { near: sql`decision_path < ${path}`, order: sql`decision_path desc`, nearest: sql`path desc, id desc` },
  ];
  const found = await Promise.all(
    sides.map(({ near, order, nearest }) => {
      const query = sql`
        select ${NEIGHBOUR_COLUMNS}
        from (
          select * from traces where ${completed} and ${near} order by ${order} limit ${MAX_LOOKED_THROUGH}) as near
        where ${isEarlier} order by ${order} limit ${MAX_NEIGHBOURS}`;
      return sql<Neighbour>`${limitFacts(query, nearest)}`.execute(db);
    }),
  );
  return found.flatMap(({ rows }) => rows).filter((run) => releaseOf(run) !== null);
}

/** The newest failed runs are looked through for the same error, up to this number. */
const MAX_FAILED_LOOKED_THROUGH = 500;

/** Finds other failed runs of the agent with an error, the newest first. */
export async function findSameError(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, agentHash }: PathOfRun,
  fingerprint: number,
): Promise<Neighbour[]> {
  const newest = sql`
    select ${NEIGHBOUR_COLUMNS}
    from (
      select * from traces where workspace_id = ${workspaceId} and status = 'ERROR'
      order by started_at desc, id desc limit ${MAX_FAILED_LOOKED_THROUGH}) as failed
    where agent_hash = ${agentHash} and decision_path is not null and id <> ${traceId} and ${hasFingerprint(fingerprint)}
    order by started_at desc, id desc limit ${MAX_NEIGHBOURS}`;
  const { rows } = await sql<Neighbour>`${limitFacts(newest, sql`started_at desc, id desc`)}`.execute(db);
  return rows;
}

/**
 * Finds the completed runs of an agent that share the longest beginning of decisions with a run. Sorted by their paths,
 * they are next to it: those that begin with all its decisions, and the nearest ones before and after those.
 */
export async function findNeighbours(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, agentHash, path }: PathOfRun,
): Promise<{ same: Neighbour[]; others: Neighbour[] }> {
  const end = afterPrefix(path);
  const completed = sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash} and status = 'COMPLETED' and outcome = 0`;
  const find = (query: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql<Neighbour>`${limitFacts(query, order)}`.execute(db);
  const [same, before, after] = await Promise.all([
    find(
      sql`
        select ${NEIGHBOUR_COLUMNS} from traces
        where ${completed} and decision_path >= ${path} and decision_path < ${end} and id <> ${traceId}
        order by decision_path limit ${MAX_NEIGHBOURS}`,
      sql`path, id`,
    ),
    find(
      sql`
        select ${NEIGHBOUR_COLUMNS} from traces where ${completed} and decision_path < ${path}
        order by decision_path desc limit ${MAX_NEIGHBOURS}`,
      sql`path desc, id desc`,
    ),
    find(
      sql`
        select ${NEIGHBOUR_COLUMNS} from traces where ${completed} and decision_path >= ${end}
        order by decision_path limit ${MAX_NEIGHBOURS}`,
      sql`path, id`,
    ),
  ]);
  return { same: same.rows, others: [...before.rows, ...after.rows] };
}
