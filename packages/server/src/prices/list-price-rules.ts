import type { PriceRule } from "@whytrace/contract";
import { sql } from "kysely";
import { createdByColumn } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** `table` is the name of price_rules in the statement. */
export const ruleColumns = (table: string) => sql`
  id, model, input_usd, output_usd, cache_read_usd, cache_write_usd, valid_from, ${createdByColumn(`${table}.created_by`)}`;

export async function listPriceRules(db: Database, workspaceId: WorkspaceId): Promise<PriceRule[]> {
  const { rows } = await sql<PriceRule>`
    select ${ruleColumns("price_rules")} from price_rules where workspace_id = ${workspaceId}
    order by model collate "C", valid_from nulls first`.execute(db);
  return rows;
}
