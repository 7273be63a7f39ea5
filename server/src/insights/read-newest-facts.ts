import { type DecisionFact, decodeDecisionFacts } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { type DecisionFilter, decisionConditions } from "../traces/decision-conditions.ts";
import type { DayRange } from "./days/read-days.ts";
import { startedIn } from "./started-in.ts";

/** The decisions of the newest traces that match. */
export async function readNewestFacts(
  db: Database,
  userId: string,
  filter: DecisionFilter,
  range: DayRange,
  limit: number,
): Promise<{ id: string; decisions: readonly DecisionFact[] }[]> {
  const conditions = [startedIn(range), ...decisionConditions(filter)];
  const { rows } = await sql<{ id: string; facts: Buffer }>`
    select id, decision_facts as facts from traces
    where user_id = ${userId} and ${sql.join(conditions, sql` and `)}
    order by started_at desc, id desc limit ${limit}`.execute(db);
  return rows.map(({ id, facts }) => ({ id, decisions: decodeDecisionFacts(facts)?.decisions ?? [] }));
}
