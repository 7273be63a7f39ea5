import { type RawBuilder, sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { judgeFacts } from "../../outcomes/judge-facts.ts";
import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { limitFacts, MAX_FACTS_BYTES } from "../limit-facts.ts";
import { SILENT, type Vote } from "./run-counter.ts";
import type { Tally } from "./tally.ts";

/** Traces per statement; fewer if they have very many decisions. */
const CHUNK_TRACES = 2_000;

interface TraceRow {
  id: string;
  startedAt: string;
  agentHash: number;
  totalCost: number | null;
  outcome: number;
  marks: Buffer | null;
  outcomeFlags: number;
  facts: Buffer;
}

/** Adds the facts of the traces that meet a condition to a tally, newest first, and returns how many there were. */
export async function addTraces(
  db: Database,
  tally: Tally,
  workspaceId: WorkspaceId,
  condition: RawBuilder<unknown>,
  maxTraces = Number.POSITIVE_INFINITY,
): Promise<number> {
  let traceCount = 0;
  for (let last: TraceRow | undefined; traceCount < maxTraces; ) {
    const before = last ? sql`and (started_at, id) < (${last.startedAt}::timestamptz, ${last.id})` : sql``;
    const limit = Math.min(CHUNK_TRACES, maxTraces - traceCount);
    const chunk = sql`
      select id, started_at, started_at::text as "startedAt", agent_hash as "agentHash", total_cost as "totalCost",
        outcome, marks, outcome_flags as "outcomeFlags", decision_facts as facts
      from traces where workspace_id = ${workspaceId} and decision_facts is not null and ${condition} ${before}
      order by started_at desc, id desc limit ${limit}`;
    const { rows }: { rows: TraceRow[] } = await sql<TraceRow>`
      select id, "startedAt", "agentHash", "totalCost", outcome, marks, "outcomeFlags", facts
      from (${limitFacts(chunk, sql`started_at desc, id desc`)}) as newest`.execute(db.withoutPlugins());
    await runInTimeSlices(addRows(tally, rows));
    traceCount += rows.length;
    last = rows.at(-1);
    const bytes = rows.reduce((sum, { facts }) => sum + facts.length, 0);
    if (rows.length < limit && bytes < MAX_FACTS_BYTES) break;
  }
  return traceCount;
}

function* addRows(tally: Tally, rows: TraceRow[]): Generator<undefined, void> {
  for (const { id, agentHash, totalCost, outcome, marks, outcomeFlags, facts: bytes } of rows) {
    const happened = decodeDecisionFacts(bytes);
    const facts = happened && judgeFacts(happened, { outcome, marks });
    if (facts)
      yield* tally.addRun({
        traceId: id,
        agent: agentHash,
        costUsd: totalCost,
        facts,
        outcome,
        vote: voteOf(outcomeFlags),
      });
    yield;
  }
}

/** Most runs have no flags at all. */
const voteOf = (flags: number): Vote =>
  flags === 0
    ? SILENT
    : {
        isAnswered: (flags & OUTCOME_FLAGS.answered) !== 0,
        isScoredBad: (flags & OUTCOME_FLAGS.badByScores) !== 0,
        isAsked: (flags & OUTCOME_FLAGS.asked) !== 0,
      };
