import type { SuggestedKey } from "@whytrace/contract/schemas/insights/findings";
import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { MAX_COUNTED_RUNS } from "../read-recorded-runs.ts";

/** One value tells nothing, and with many values hardly any runs are left to compare. */
const MIN_VALUES = 2;
const MAX_VALUES = 12;
const MIN_SHARE = 0.8;
const MAX_SUGGESTIONS = 20;
/** They say the release, which is always compared apart. */
const RELEASE_KEYS = sql`('release', 'version')`;

/** Keys of metadata and tags that most of an agent's newest runs have, with few values; those with the fewest values first. */
export async function suggestSituationKeys(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
): Promise<SuggestedKey[]> {
  const { rows } = await sql<SuggestedKey>`
    with newest as materialized (
      select id, metadata_pairs, tags from traces
      where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and decision_facts is not null
      order by started_at desc, id desc limit ${MAX_COUNTED_RUNS}
    ), pairs as (
      select id, split_part(pair, chr(31), 1) as key, md5(pair) as value from newest, unnest(metadata_pairs) as pair
      union all
      select id, split_part(tag, ':', 1), md5(tag) from newest, unnest(tags) as tag
      where position(':' in tag) > 1 and lower(split_part(tag, ':', 1)) not in ${RELEASE_KEYS}
    )
    select key, count(distinct value) as values, count(distinct id)::float8 / (select count(*) from newest) as share
    from pairs group by key
    having count(distinct value) between ${MIN_VALUES} and ${MAX_VALUES}
      and count(distinct id) >= ${MIN_SHARE}::float8 * (select count(*) from newest)
    order by 2, 1 limit ${MAX_SUGGESTIONS}`.execute(db);
  return rows;
}
