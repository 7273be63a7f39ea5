import { parseBatch, UNLIMITED_SESSIONS } from "@whytrace/contract";
import { DEMO_STORY, type DemoScore, type DemoTrace, demoMonth, demoScores } from "@whytrace/demo";
import { sql } from "kysely";
import { addUnknownKey } from "../api-keys/add-unknown-key.ts";
import { createSubscription } from "../billing/create-subscription.ts";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { addModelUsage } from "../ingest/add-model-usage.ts";
import { automaticScoreId, type ParsedScore } from "../trace-store/scores/parsed-score.ts";
import type { ScoreStore } from "../trace-store/scores/score-store.ts";
import type { TraceStore } from "../trace-store/store/store-traces.ts";
import { addWorkspace } from "../workspaces/add-workspace.ts";
import { SAMPLE_KEY_ID, SAMPLE_WORKSPACE } from "./sample-workspace.ts";

/** A month of several agents. With half as many, Why finds nothing in one of ten such months. A test makes fewer. */
export const SAMPLE = { traces: 2_000 };
const BATCH_TRACES = 50;

export interface SampleStores {
  traces: TraceStore;
  scores: ScoreStore;
}

/** The simulated month up to now, with its scores. A month that is there is replaced, trace by trace: it has the same ids. */
export async function* makeSample(db: Database, stores: SampleStores): AsyncGenerator<void> {
  await transaction(db, async (trx) => {
    if (!(await addWorkspace(trx, SAMPLE_WORKSPACE))) return;
    await createSubscription(trx, SAMPLE_WORKSPACE, UNLIMITED_SESSIONS);
    await addUnknownKey(trx, SAMPLE_KEY_ID, SAMPLE_WORKSPACE);
  });
  const seed = await readSeed(db);
  const month = demoMonth({ seed, story: DEMO_STORY, now: new Date(), traces: SAMPLE.traces });
  const sender = { workspaceId: SAMPLE_WORKSPACE };
  for (let traces = takeBatch(month); traces.length > 0; traces = takeBatch(month)) {
    // The store expects JSON as a client sends it.
    const body = JSON.stringify({ traces });
    const batch = parseBatch(JSON.parse(body));
    await runInTimeSlices(addModelUsage(batch));
    await stores.traces.store(sender, batch, body.length);
    const scores = traces.flatMap(demoScores).map(toStorable);
    if (scores.length > 0) await stores.scores.store(sender, scores, JSON.stringify(scores).length);
    yield;
  }
}

function toStorable({ timestamp, ...score }: DemoScore): ParsedScore {
  const place = { ...score, spanId: null, decisionId: null };
  return {
    ...place,
    id: automaticScoreId(place),
    label: null,
    timestamp: Date.parse(timestamp),
    metadata: null,
  };
}

function takeBatch(month: Iterator<DemoTrace>): DemoTrace[] {
  const batch: DemoTrace[] = [];
  while (batch.length < BATCH_TRACES) {
    const { value, done } = month.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
}

/** A number of this server: trace ids follow from it, and nobody else may be able to send traces with these ids before. */
async function readSeed(db: Database): Promise<number> {
  const { rows } = await sql<{ hash: Buffer }>`
    select key_hash as hash from api_keys where id = ${SAMPLE_KEY_ID}`.execute(db);
  return (rows[0]?.hash.readUInt32BE(0) ?? 0) >>> 1;
}
