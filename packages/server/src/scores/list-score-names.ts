import {
  MAX_LISTED_NAMES,
  SCORE_KINDS,
  SCORE_SOURCES,
  type ScoreNames,
} from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { isFailingLabelSql } from "../outcomes/failing-label.ts";
import { isOneSided } from "./is-one-sided.ts";
import { scoreConditions } from "./score-filter.ts";

interface NameRow {
  name: string;
  kinds: number[];
  sources: number[];
  scores: number;
  runs: number;
  lastAt: string;
  /** Scores that say good or bad: booleans, and those with a label. */
  said: number;
  bad: number;
}

/** The names of a workspace's scores, with what came under each of them. */
export async function listScoreNames(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string | undefined,
): Promise<ScoreNames> {
  const { rows } = await sql<NameRow>`
    select name, array_agg(distinct kind) as kinds, array_agg(distinct source) as sources, count(*) as scores,
      count(distinct trace_id) as runs, max(timestamp) as last_at,
      count(*) filter (where kind = 1 or label is not null) as said,
      count(*) filter (where (kind = 1 and number = 0) or ${isFailingLabelSql("label")}) as bad
    from scores where ${scoreConditions(workspaceId, { agent })}
    group by name order by name limit ${MAX_LISTED_NAMES + 1}`.execute(db);
  return {
    names: rows.slice(0, MAX_LISTED_NAMES).map(({ kinds, sources, said, bad, ...row }) => ({
      ...row,
      kinds: kinds.flatMap((kind) => SCORE_KINDS[kind] ?? []).sort(),
      sources: sources.flatMap((source) => SCORE_SOURCES[source] ?? []).sort(),
      isOneSided: isOneSided({ said, bad }),
    })),
    isTruncated: rows.length > MAX_LISTED_NAMES,
  };
}
