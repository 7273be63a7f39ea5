import { maskText } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { splitMetadataPair } from "../trace-store/metadata-pairs.ts";

/** What the values are values of: each is a filter of traces or decisions. */
export const FILTER_FIELDS = ["agent", "model", "tag", "session", "metadata", "choice"] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

const RECENT_TRACES = 1_000;
const RECENT_DECISIONS = 5_000;
export const MAX_FILTER_VALUES = 50;

/** The values that a user's newest traces have, the most frequent first. */
export async function listFilterValues(db: Database, userId: string, field: FilterField): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const value of await recentValues(db, userId, field)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, MAX_FILTER_VALUES)
    .map(([value]) => value);
}

async function recentValues(db: Database, userId: string, field: FilterField): Promise<string[]> {
  const recent = (selected: string, condition: string) => sql<{ value: string }>`
    select ${sql.raw(selected)} as value from (
      select * from traces where user_id = ${userId} and ${sql.raw(condition)}
      order by started_at desc, id desc limit ${RECENT_TRACES}) as recent`;
  const read = async (query: ReturnType<typeof recent>) =>
    (await query.execute(db)).rows.map(({ value }) => value);
  switch (field) {
    case "agent":
      return (await read(recent("name", "agent_hash is not null"))).map(maskText);
    case "model":
      return read(recent("unnest(models)", "models is not null"));
    case "tag":
      return read(recent("unnest(tags)", "true"));
    case "session":
      return read(recent("session_id", "session_id is not null"));
    case "metadata":
      return (await read(recent("unnest(metadata_pairs)", "metadata_pairs is not null"))).map((pair) => {
        const { key, value } = splitMetadataPair(pair);
        return `${key}=${value}`;
      });
    case "choice":
      return read(sql<{ value: string }>`
        select choice as value from (
          select choice from decision_points where user_id = ${userId}
          order by timestamp desc, trace_id desc, id desc limit ${RECENT_DECISIONS}) as recent
        where choice is not null`);
  }
}
