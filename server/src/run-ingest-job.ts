import type { RunIngestJob } from "./ingest/ingest-job.ts";
import { storeBatch } from "./ingest/store-batch.ts";
import { dropMetrics } from "./otlp/drop-metrics.ts";
import { storeLogs } from "./otlp/store-logs.ts";
import { storeSpans } from "./otlp/store-spans.ts";

const OTLP_SIGNALS = { traces: storeSpans, logs: storeLogs, metrics: dropMetrics };

/** Reads and stores a request body, in whichever thread calls it. */
export const runIngestJob: RunIngestJob = (job, body, context) =>
  job.kind === "batch" ? storeBatch(body, context) : OTLP_SIGNALS[job.signal](job, body, context);
