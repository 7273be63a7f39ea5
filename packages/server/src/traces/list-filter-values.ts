import { type FilterField, MAX_FILTER_VALUES, maskText } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { splitMetadataPair } from "../trace-store/rows/metadata-pairs.ts";

const RECENT_TRACES = 1_000;
/** A trace can have thousands of tags: no more of them are counted. */
const RECENT_VALUES = 20_000;
const RECENT_DECISIONS = 5_000;

/** The values that a workspace's newest traces have, the most frequent first. PostgreSQL counts them and returns only these. */
export async function listFilterValues(
  db: Database,
  workspaceId: WorkspaceId,
  field: FilterField,
): Promise<string[]> {
  const values = async (recent: RawBuilder<unknown>) =>
    (await mostFrequent(db, recent, MAX_FILTER_VALUES)).map(({ value }) => value);
  switch (field) {
    case "agent":
      return listAgents(db, workspaceId);
    case "model":
      return values(recentTraces(workspaceId, "unnest(models)", "models is not null"));
    case "tag":
      return values(recentTraces(workspaceId, "unnest(tags)", "true"));
    case "session":
      return values(recentTraces(workspaceId, "session_id", "session_id is not null"));
    case "metadata":
      return (
        await values(recentTraces(workspaceId, "unnest(metadata_pairs)", "metadata_pairs is not null"))
      ).map((pair) => {
        const { key, value } = splitMetadataPair(pair);
        return `${key}=${value}`;
      });
    case "choice":
      return values(sql`
        select choice as value from (
          select choice from decision_points where workspace_id = ${workspaceId}
          order by timestamp desc, trace_id desc, id desc limit ${RECENT_DECISIONS}) as decisions
        where choice is not null`);
  }
}

interface CountedValue {
  value: string;
  count: number;
}

/** Agents that differ in numbers only are one, so their names are added up here. */
async function listAgents(db: Database, workspaceId: WorkspaceId): Promise<string[]> {
  const names = await mostFrequent(
    db,
    recentTraces(workspaceId, "name", "decision_types <> 0"),
    RECENT_TRACES,
  );
  const counts = new Map<string, number>();
  for (const { value, count } of names) {
    const agent = maskText(value);
    counts.set(agent, (counts.get(agent) ?? 0) + count);
  }
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, MAX_FILTER_VALUES)
    .map(([agent]) => agent);
}

/** Selects values of the newest traces, those of the newest one first. */
const recentTraces = (workspaceId: WorkspaceId, value: string, condition: string): RawBuilder<unknown> => sql`
  select ${sql.raw(value)} as value from (
    select * from traces where workspace_id = ${workspaceId} and ${sql.raw(condition)}
    order by started_at desc, id desc limit ${RECENT_TRACES}) as newest
  limit ${RECENT_VALUES}`;

async function mostFrequent(
  db: Database,
  recent: RawBuilder<unknown>,
  limit: number,
): Promise<CountedValue[]> {
  const { rows } = await sql<CountedValue>`
    select value, count(*) as count from (${recent}) as recent
    group by value order by count(*) desc, value collate "C" limit ${limit}`.execute(db);
  return rows;
}
