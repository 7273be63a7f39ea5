import { type DecisionFact, decodeDecisionFacts } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import { type DecisionFilter, decisionConditions } from "../traces/decision-conditions.ts";
import type { DayRange } from "./days/read-days.ts";
import { limitFacts } from "./limit-facts.ts";
import { startedIn } from "./started-in.ts";

/** The decisions of the newest traces that match; of fewer traces if they have very many decisions. */
export async function readNewestFacts(
  db: Database,
  userId: string,
  filter: DecisionFilter,
  range: DayRange,
  limit: number,
): Promise<{ id: string; decisions: readonly DecisionFact[] }[]> {
  const conditions = [startedIn(range), ...decisionConditions(filter)];
  const newest = sql`
    select id, started_at, decision_facts as facts from traces
    where user_id = ${userId} and ${sql.join(conditions, sql` and `)}
    order by started_at desc, id desc limit ${limit}`;
  const { rows } = await sql<StoredFacts>`
    select id, facts from (${limitFacts(newest, sql`started_at desc, id desc`)}) as newest`.execute(db);
  return runInTimeSlices(decode(rows));
}

interface StoredFacts {
  id: string;
  facts: Buffer;
}

function* decode(rows: StoredFacts[]): Generator<undefined, { id: string; decisions: DecisionFact[] }[]> {
  const decoded = [];
  for (const { id, facts } of rows) {
    decoded.push({ id, decisions: decodeDecisionFacts(facts)?.decisions ?? [] });
    yield;
  }
  return decoded;
}
