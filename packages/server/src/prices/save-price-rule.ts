import type { PriceRule } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { ruleColumns } from "./list-price-rules.ts";

export const MAX_PRICE_RULES_PER_WORKSPACE = 200;

/** Adds a rule, or replaces the one for the same model and date. */
export function savePriceRule(
  db: Database,
  { workspaceId, user }: MemberSession,
  rule: Omit<PriceRule, "id" | "createdBy">,
  origin: Origin,
): Promise<PriceRule> {
  const { model, inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd, validFrom } = rule;
  return transaction(db, async (trx) => {
    // Serializes a workspace's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`price-rules ${workspaceId}`}, 0))`.execute(
      trx,
    );
    const { rows } = await sql<PriceRule>`
      insert into price_rules as rule
        (workspace_id, created_by, model, input_usd, output_usd, cache_read_usd, cache_write_usd, valid_from)
      values (${workspaceId}, ${user.id}, ${model}, ${inputUsd}, ${outputUsd}, ${cacheReadUsd}, ${cacheWriteUsd}, ${validFrom})
      on conflict (workspace_id, model, valid_from) do update set input_usd = excluded.input_usd,
        output_usd = excluded.output_usd, cache_read_usd = excluded.cache_read_usd,
        cache_write_usd = excluded.cache_write_usd, created_by = excluded.created_by
      returning ${ruleColumns("rule")}`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from price_rules where workspace_id = ${workspaceId}`.execute(trx);
    const [saved] = rows;
    if (!saved || (counted[0]?.count ?? 0) > MAX_PRICE_RULES_PER_WORKSPACE)
      throw new HttpError(409, `Price rule limit reached (${MAX_PRICE_RULES_PER_WORKSPACE})`);
    const target = { kind: "price", id: saved.id, name: model };
    await recordEvent(trx, workspaceId, origin, {
      action: "price.changed",
      target,
      details: { inputUsd, outputUsd },
    });
    return saved;
  });
}
