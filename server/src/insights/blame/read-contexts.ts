import { decodeDecisionFacts, isFailedOutcome } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { DayRange } from "../days/read-days.ts";
import { tracesOfRuns } from "../traces-of-runs.ts";
import type { ObservedContext } from "./find-clue.ts";

/** So many of the user's newest traces are looked through. */
const MAX_TRACES = 5_000;
const MAX_CONTEXTS = 200;
/** Larger contexts are left out: stored, that is compressed, and as text. */
const MAX_STORED_BYTES = 4 * 1024;
const MAX_LENGTH = 32 * 1024;

/** Reads the contexts of the newest decisions that chose a step and then failed, or were followed by no error at all. */
export async function readContexts(
  db: Database,
  userId: string,
  range: DayRange,
  { agent, step }: { agent: string; step: number },
): Promise<ObservedContext[]> {
  const { rows: traces } = await sql<{ id: string; facts: Buffer }>`
    select id, decision_facts as facts
    from (
      select user_id, id, agent_hash, decision_facts, started_at from traces
      where user_id = ${userId} and started_at >= ${startOf(range.from)} and started_at < ${startOf(range.to)}
      order by started_at desc limit ${MAX_TRACES}
    ) as newest
    where ${tracesOfRuns(userId, { agent, step })}
    order by started_at desc limit ${MAX_CONTEXTS}`.execute(db);
  const decisions: { traceId: string; position: number; isFailed: boolean }[] = [];
  for (const { id: traceId, facts } of traces)
    for (const decision of decodeDecisionFacts(facts)?.decisions ?? []) {
      const isFailed = isFailedOutcome(decision.type, decision.outcome);
      if (decision.step !== step || (!isFailed && decision.outcome !== 0)) continue;
      if (decisions.length < MAX_CONTEXTS) decisions.push({ traceId, position: decision.position, isFailed });
    }
  if (decisions.length === 0) return [];
  const { rows } = await sql<{ isFailed: boolean; context: string }>`
    select wanted."isFailed", context_snapshot::text as context
    from json_to_recordset(${JSON.stringify(decisions)}::json)
        as wanted ("traceId" text, position integer, "isFailed" boolean)
      join decision_points as decision on decision.user_id = ${userId}
        and decision.trace_id = wanted."traceId" collate "C" and decision.position = wanted.position
    where pg_column_size(context_snapshot) <= ${MAX_STORED_BYTES}
      and length(context_snapshot::text) <= ${MAX_LENGTH}`.execute(db);
  return rows.map(({ isFailed, context }) => ({ isFailed, context: JSON.parse(context) }));
}

const startOf = (day: string) => `${day}T00:00:00Z`;
