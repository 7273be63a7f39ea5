import type { ModelStat } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { withSums } from "../db/statements/with-sums.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type TimeRange, timestamptz } from "./time-range.ts";

/** What each model used and cost, at each price, in the traces that started in a time range; the costliest first. */
export async function modelStats(
  db: Database,
  workspaceId: WorkspaceId,
  { fromMs, toMs }: Pick<TimeRange, "fromMs" | "toMs">,
  limit: number,
): Promise<ModelStat[]> {
  const { rows } = await withSums((sum) =>
    sql<ModelStat>`
    select used.model, used.price_source, count(*) as traces, ${sum("calls")} as calls,
      ${sum("input_tokens")} as input_tokens, ${sum("cache_read_tokens")} as cache_read_tokens,
      ${sum("cache_write_tokens")} as cache_write_tokens, ${sum("output_tokens")} as output_tokens,
      ${sum("reasoning_tokens")} as reasoning_tokens, ${sum("cost_usd")} as cost_usd
    from traces, lateral (
      select model, "priceSource" as price_source, calls, "inputTokens" as input_tokens,
        "cacheReadTokens" as cache_read_tokens, "cacheWriteTokens" as cache_write_tokens, "outputTokens" as output_tokens,
        "reasoningTokens" as reasoning_tokens, "costUsd" as cost_usd
      from jsonb_to_recordset(model_costs) as usage (model text, "priceSource" text, calls double precision,
        "inputTokens" double precision, "cacheReadTokens" double precision, "cacheWriteTokens" double precision,
        "outputTokens" double precision, "reasoningTokens" double precision, "costUsd" double precision)
    ) as used
    where workspace_id = ${workspaceId} and started_at >= ${timestamptz(fromMs)} and started_at < ${timestamptz(toMs)}
      and model_costs is not null
    group by used.model, used.price_source
    order by cost_usd desc nulls last, input_tokens desc, used.model, used.price_source limit ${limit}`.execute(
      db,
    ),
  );
  return rows;
}
