import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { type DecidedRun, FACTS_OF_LONG_RUN } from "./run-steps.ts";
import { afterPrefix } from "./step-path.ts";

/** A completed run that is found by the beginning of its decisions. */
export interface Neighbour extends DecidedRun {
  id: string;
  name: string;
  tags: string[];
  startedAt: string;
}

export interface PathOfRun extends DecidedRun {
  traceId: string;
  agentHash: number;
}

const MAX_NEIGHBOURS = 20;
const COLUMNS = sql`id, name, tags, started_at, decision_path as path, ${FACTS_OF_LONG_RUN} as facts`;

/**
 * Finds the completed runs of an agent that share the longest beginning of decisions with a run. Sorted by their paths,
 * they are next to it: those that begin with all its decisions, and the nearest ones before and after those.
 */
export async function findNeighbours(
  db: Database,
  userId: string,
  { traceId, agentHash, path }: PathOfRun,
): Promise<{ same: Neighbour[]; others: Neighbour[] }> {
  const end = afterPrefix(path);
  const completed = sql`user_id = ${userId} and agent_hash = ${agentHash} and status = 'COMPLETED'`;
  const [same, before, after] = await Promise.all([
    sql<Neighbour>`
      select ${COLUMNS} from traces
      where ${completed} and decision_path >= ${path} and decision_path < ${end} and id <> ${traceId}
      order by decision_path limit ${MAX_NEIGHBOURS}`.execute(db),
    sql<Neighbour>`
      select ${COLUMNS} from traces where ${completed} and decision_path < ${path}
      order by decision_path desc limit ${MAX_NEIGHBOURS}`.execute(db),
    sql<Neighbour>`
      select ${COLUMNS} from traces where ${completed} and decision_path >= ${end}
      order by decision_path limit ${MAX_NEIGHBOURS}`.execute(db),
  ]);
  return { same: same.rows, others: [...before.rows, ...after.rows] };
}
