import type { MaskedMatches } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { countedRule } from "../masking/masker.ts";

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Each of them is read, so a busy workspace is counted over less time. */
const MAX_TRACES = 100_000;

/** How many values were masked in the traces of the last 7 days, by type and by rule. */
export async function countMasked(
  db: Database,
  workspaceId: WorkspaceId,
  maxTraces = MAX_TRACES,
): Promise<MaskedMatches> {
  const sinceDays = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  const { rows: last } = await sql<{ startedAt: string }>`
    select started_at from traces where workspace_id = ${workspaceId} and started_at >= ${sinceDays}::timestamptz
    order by started_at desc offset ${maxTraces - 1} limit 1`.execute(db);
  const since = last[0]?.startedAt ?? sinceDays;
  const { rows } = await sql<{ name: string; count: number }>`
    select counted.name, sum(counted.count::bigint)::bigint as count
    from traces cross join lateral jsonb_each_text(masked) as counted (name, count)
    where workspace_id = ${workspaceId} and started_at >= ${since}::timestamptz and masked is not null
    group by counted.name`.execute(db);
  const types: Record<string, number> = {};
  const rules: Record<string, number> = {};
  for (const { name, count } of rows) {
    const rule = countedRule(name);
    if (rule === undefined) types[name] = count;
    else rules[rule] = count;
  }
  return { since, types, rules };
}
