import { decodeDecisionFacts } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { Tally } from "./tally.ts";

/** So many traces are read at a time. */
const CHUNK_TRACES = 2_000;

interface TraceFacts {
  id: string;
  startedAt: string;
  agentHash: number;
  totalCost: number | null;
  decisionFacts: Buffer;
}

/** Adds the facts of the traces that meet a condition to a tally, newest first, and returns how many there were. */
export async function addTraces(
  db: Database,
  tally: Tally,
  userId: string,
  condition: RawBuilder<unknown>,
  maxTraces = Number.POSITIVE_INFINITY,
): Promise<number> {
  let traceCount = 0;
  for (let last: TraceFacts | undefined; traceCount < maxTraces; ) {
    const before = last ? sql`and (started_at, id) < (${last.startedAt}::timestamptz, ${last.id})` : sql``;
    const limit = Math.min(CHUNK_TRACES, maxTraces - traceCount);
    const { rows }: { rows: TraceFacts[] } = await sql<TraceFacts>`
      select id, started_at::text as "startedAt", agent_hash as "agentHash", total_cost as "totalCost",
        decision_facts as "decisionFacts"
      from traces where user_id = ${userId} and decision_facts is not null and ${condition} ${before}
      order by started_at desc, id desc limit ${limit}`.execute(db.withoutPlugins());
    await runInTimeSlices(addRows(tally, rows));
    traceCount += rows.length;
    last = rows.at(-1);
    if (rows.length < limit) break;
  }
  return traceCount;
}

function* addRows(tally: Tally, rows: TraceFacts[]): Generator<undefined, void> {
  for (const { id, agentHash, totalCost, decisionFacts } of rows) {
    const facts = decodeDecisionFacts(decisionFacts);
    if (facts) tally.addRun({ traceId: id, agent: agentHash, costUsd: totalCost, facts });
    yield;
  }
}
