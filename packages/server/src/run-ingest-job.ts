import type { RunIngestJob } from "./ingest/ingest-job.ts";
import { storeBatch } from "./ingest/store-batch.ts";
import { dropMetrics } from "./otlp/drop-metrics.ts";
import { storeLogs } from "./otlp/store-logs.ts";
import { storeSpans } from "./otlp/store-spans.ts";
import { storeScoreBatch } from "./scores/store-score-batch.ts";

const OTLP_SIGNALS = { traces: storeSpans, logs: storeLogs, metrics: dropMetrics };

/** Reads and stores a request body, in whichever thread calls it. */
export const runIngestJob: RunIngestJob = (job, body, context) => {
  if (job.kind === "batch") return storeBatch(body, context);
  if (job.kind === "scores") return storeScoreBatch(job, body, context);
  return OTLP_SIGNALS[job.signal](job, body, context);
};
