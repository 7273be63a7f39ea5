import type { DecisionPointType } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";

/** Removes what is inside traces; returns the types of the decision points that went, one by one. */
export async function deleteChildren(
  trx: Database,
  userId: string,
  traceIds: string[],
): Promise<DecisionPointType[]> {
  const ids = textList(traceIds);
  await sql`delete from spans where user_id = ${userId} and trace_id = any(${ids})`.execute(trx);
  await sql`delete from events where user_id = ${userId} and trace_id = any(${ids})`.execute(trx);
  const { rows } = await sql<{ type: DecisionPointType }>`
    delete from decision_points where user_id = ${userId} and trace_id = any(${ids}) returning type`.execute(
    trx,
  );
  return rows.map((row) => row.type);
}
