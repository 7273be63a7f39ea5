import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { isFailedOutcome } from "../../decision-facts/failed-outcome.ts";
import type { DayRange } from "../days/read-days.ts";
import { limitFacts } from "../limit-facts.ts";
import { tracesOfRuns } from "../traces-of-runs.ts";
import type { ObservedContext } from "./find-clue.ts";

/** The workspace's newest traces are looked through, up to this number. */
const MAX_TRACES = 5_000;
const MAX_CONTEXTS = 200;
/** Larger contexts are left out: stored, that is compressed, and as text. */
const MAX_STORED_BYTES = 4 * 1024;
const MAX_LENGTH = 32 * 1024;

/** Reads the contexts of the newest decisions that chose a step and then failed, or were followed by no error at all. */
export async function readContexts(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  { agent, step }: { agent: string; step: number },
): Promise<ObservedContext[]> {
  const found = sql`
    select id, started_at, decision_facts as facts
    from (
      select workspace_id, id, agent_hash, decision_facts, started_at from traces
      where workspace_id = ${workspaceId} and started_at >= ${startOf(range.from)} and started_at < ${startOf(range.to)}
      order by started_at desc limit ${MAX_TRACES}
    ) as newest
    where ${tracesOfRuns(workspaceId, { agent, step })}
    order by started_at desc limit ${MAX_CONTEXTS}`;
  const { rows: traces } = await sql<StoredFacts>`
    select id, facts from (${limitFacts(found, sql`started_at desc, id`)}) as newest`.execute(db);
  const decisions = await runInTimeSlices(decisionsOf(traces, step));
  if (decisions.length === 0) return [];
  const { rows } = await sql<{ isFailed: boolean; context: string }>`
    select wanted."isFailed", context_snapshot::text as context
    from json_to_recordset(${JSON.stringify(decisions)}::json)
        as wanted ("traceId" text, position integer, "isFailed" boolean)
      join decision_points as decision on decision.workspace_id = ${workspaceId}
        and decision.trace_id = wanted."traceId" collate "C" and decision.position = wanted.position
    where pg_column_size(context_snapshot) <= ${MAX_STORED_BYTES}
      and length(context_snapshot::text) <= ${MAX_LENGTH}`.execute(db);
  return rows.map(({ isFailed, context }) => ({ isFailed, context: JSON.parse(context) }));
}

interface StoredFacts {
  id: string;
  facts: Buffer;
}

interface FoundDecision {
  traceId: string;
  position: number;
  isFailed: boolean;
}

function* decisionsOf(traces: StoredFacts[], step: number): Generator<undefined, FoundDecision[]> {
  const decisions: FoundDecision[] = [];
  for (const { id: traceId, facts } of traces) {
    for (const decision of decodeDecisionFacts(facts)?.decisions ?? []) {
      if (decisions.length === MAX_CONTEXTS) return decisions;
      const isFailed = isFailedOutcome(decision.type, decision.outcome);
      if (decision.step !== step || (!isFailed && decision.outcome !== 0)) continue;
      decisions.push({ traceId, position: decision.position, isFailed });
    }
    yield;
  }
  return decisions;
}

const startOf = (day: string) => `${day}T00:00:00Z`;
