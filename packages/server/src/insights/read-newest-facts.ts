import { sql } from "kysely";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { DecisionFact } from "../decision-facts/decision-facts.ts";
import { decodeDecisionFacts } from "../decision-facts/decode-decision-facts.ts";
import type { TraceFilter } from "../traces/trace-filter.ts";
import { filterConditions } from "../traces/trace-filter.ts";
import type { DayRange } from "./days/read-days.ts";
import { limitFacts } from "./limit-facts.ts";
import { startedIn } from "./started-in.ts";

/** What is known of a trace. */
interface NewestFacts {
  id: string;
  /** As in `DecisionFacts`. */
  cluster: number;
  decisions: readonly DecisionFact[];
}

/** The decisions of the newest traces that match; of fewer traces if they have very many decisions. */
export async function readNewestFacts(
  db: Database,
  workspaceId: WorkspaceId,
  filter: TraceFilter,
  range: DayRange,
  limit: number,
): Promise<NewestFacts[]> {
  const conditions = [startedIn(range), ...filterConditions(workspaceId, filter)];
  const newest = sql`
    select id, started_at, decision_facts as facts from traces
    where workspace_id = ${workspaceId} and ${sql.join(conditions, sql` and `)}
    order by started_at desc, id desc limit ${limit}`;
  const { rows } = await sql<StoredFacts>`
    select id, facts from (${limitFacts(newest, sql`started_at desc, id desc`)}) as newest`.execute(db);
  return runInTimeSlices(decode(rows));
}

interface StoredFacts {
  id: string;
  facts: Buffer;
}

function* decode(rows: StoredFacts[]): Generator<undefined, NewestFacts[]> {
  const decoded: NewestFacts[] = [];
  for (const { id, facts } of rows) {
    const { cluster = 0, decisions = [] } = decodeDecisionFacts(facts) ?? {};
    decoded.push({ id, cluster, decisions });
    yield;
  }
  return decoded;
}
