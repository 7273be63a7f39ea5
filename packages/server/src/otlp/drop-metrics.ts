import type { IngestOutcome, OtlpJob } from "../ingest/ingest-job.ts";
import { checkMetrics } from "./decode/read-otlp.ts";

/** Says that metrics are not kept. An error would fill the log of a sender that uses one endpoint for all signals. */
export async function dropMetrics({ encoding }: OtlpJob, body: Buffer): Promise<IngestOutcome> {
  const count = await checkMetrics(body, encoding);
  const reason = count > 0 ? `${count} data points of metrics are not kept: Whytrace reads spans` : "";
  return { count: 0, rejected: 0, reason };
}
