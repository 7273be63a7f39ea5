import type { PriceRule } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export const RULE_COLUMNS = sql.raw(
  "id, model, input_usd, output_usd, cache_read_usd, cache_write_usd, valid_from",
);

export async function listPriceRules(db: Database, workspaceId: WorkspaceId): Promise<PriceRule[]> {
  const { rows } = await sql<PriceRule>`
    select ${RULE_COLUMNS} from price_rules where workspace_id = ${workspaceId}
    order by model collate "C", valid_from nulls first`.execute(db);
  return rows;
}
