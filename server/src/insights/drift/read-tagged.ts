import { decodeDecisionFacts } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { countWithoutFactsIn } from "../../trace-store/backfill-facts.ts";
import { type DayRange, type DaysRead, MAX_TRACES_LEFT } from "../days/read-days.ts";
import { Tally } from "../days/tally.ts";
import { startedIn } from "../started-in.ts";

const CHUNK_TRACES = 2_000;
/** Of more traces with a tag, the newest are counted. */
const MAX_TAGGED_TRACES = 20_000;

interface TaggedTrace {
  id: string;
  startedAt: string;
  agentHash: number;
  totalCost: number | null;
  decisionFacts: Buffer;
}

/** Adds up the facts of the traces that have a tag. Days are added up by release, not by tag. */
export async function readTagged(
  db: Database,
  userId: string,
  range: DayRange,
  tag: string,
): Promise<Pick<DaysRead, "tally" | "daysLeft" | "tracesLeft">> {
  const tracesLeft = await countWithoutFactsIn(db, userId, range, MAX_TRACES_LEFT);
  const tally = new Tally();
  let last: TaggedTrace | undefined;
  for (let read = 0; read < MAX_TAGGED_TRACES; read += CHUNK_TRACES) {
    const before = last ? sql`and (started_at, id) < (${last.startedAt}::timestamptz, ${last.id})` : sql``;
    const { rows }: { rows: TaggedTrace[] } = await sql<TaggedTrace>`
      select id, started_at as "startedAt", agent_hash as "agentHash", total_cost as "totalCost",
        decision_facts as "decisionFacts"
      from traces
      where user_id = ${userId} and decision_facts is not null and tags @> array[${tag}]::text[]
        and ${startedIn(range)} ${before}
      order by started_at desc, id desc limit ${CHUNK_TRACES}`.execute(db.withoutPlugins());
    await runInTimeSlices(addTraces(tally, rows));
    last = rows.at(-1);
    if (rows.length < CHUNK_TRACES) break;
  }
  return { tally, daysLeft: 0, tracesLeft };
}

function* addTraces(tally: Tally, traces: TaggedTrace[]): Generator<undefined, void> {
  for (const { id, agentHash, totalCost, decisionFacts } of traces) {
    const facts = decodeDecisionFacts(decisionFacts);
    if (facts) tally.addRun({ traceId: id, agent: agentHash, costUsd: totalCost, facts });
    yield;
  }
}
