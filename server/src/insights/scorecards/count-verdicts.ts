import type { VerdictKind } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

/** How often choices of a signature were judged right and wrong, by step. */
export async function countVerdicts(
  db: Database,
  userId: string,
  signature: number,
): Promise<Map<number, Record<VerdictKind, number>>> {
  const { rows } = await sql<{ step: number } & Record<VerdictKind, number>>`
    select step, count(*) filter (where verdict = 'right') as "right",
      count(*) filter (where verdict = 'wrong') as "wrong"
    from verdicts where user_id = ${userId} and signature = ${signature} group by step`.execute(db);
  return new Map(rows.map(({ step, right, wrong }) => [step, { right, wrong }]));
}
