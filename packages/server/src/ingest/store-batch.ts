import { batchCost } from "./batch-cost.ts";
import type { IngestOutcome, JobContext } from "./ingest-job.ts";
import { readBatch } from "./read-batch.ts";

/** Stores the body of POST /api/traces. */
export async function storeBatch(
  body: Buffer,
  { store, sender, onParsed }: JobContext,
): Promise<IngestOutcome> {
  const batch = await readBatch(body);
  onParsed(batchCost(body.length, batch));
  return { count: await store.store(sender, batch, body.length), rejected: 0, reason: "" };
}
