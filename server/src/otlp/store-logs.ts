import { HttpError } from "../http/http-error.ts";
import type { IngestOutcome, JobContext, OtlpJob } from "../ingest/ingest-job.ts";
import { keepPending } from "../trace-store/keep-pending.ts";
import type { TracePiece } from "../trace-store/trace-piece.ts";
import { encodeFacts, FACTS } from "./facts-codec.ts";
import { mapLog } from "./map-log.ts";
import { readLogs } from "./read-otlp.ts";
import type { LogFacts } from "./span-facts.ts";

const NOT_KEPT =
  "not kept: Whytrace keeps GenAI events that name a trace and a span, such as " +
  "gen_ai.client.inference.operation.details, gen_ai.*.message, gen_ai.choice and gen_ai.evaluation.result";

/**
 * Completes spans with what log records say about them. Records whose trace has not come yet wait for it; they neither
 * create a trace nor count towards a plan.
 */
export async function storeLogs(
  { encoding }: OtlpJob,
  body: Buffer,
  { store, connections, sender, onParsed }: JobContext,
): Promise<IngestOutcome> {
  const { records, rejected } = await readLogs(body, encoding);
  onParsed(body.length);
  const byTrace = new Map<string, LogFacts[]>();
  let notKept = rejected;
  for (const record of records) {
    const logs = byTrace.get(record.traceId) ?? [];
    const facts = mapLog(record, logs.length);
    if (!facts) {
      notKept += 1;
      continue;
    }
    logs.push(facts);
    byTrace.set(record.traceId, logs);
  }
  const reason = notKept > 0 ? `${notKept} log ${notKept === 1 ? "record" : "records"} ${NOT_KEPT}` : "";
  if (byTrace.size === 0) return { count: 0, rejected: 0, reason };

  const parts = new Map([...byTrace].map(([traceId, logs]) => [traceId, encodeFacts({ logs })]));
  const { existing, isFull } = await connections.writes.transaction(sender.userId, (_client, trx) =>
    keepPending(trx, sender, parts),
  );
  if (isFull)
    throw HttpError.tooManyRequests("Too many log records wait for their spans. Send the spans, too.", 60);
  const pieces = new Map<string, TracePiece>(
    existing.map((id) => [
      id,
      {
        id,
        spans: [],
        events: [],
        hasRoot: false,
        loggedIds: (byTrace.get(id) ?? []).map(({ spanId, callId = spanId }) => callId),
        part: parts.get(id),
        bytes: 0,
      },
    ]),
  );
  if (pieces.size > 0) await store.merge(sender, { pieces, facts: FACTS, isExistingOnly: true }, body.length);
  return { count: pieces.size, rejected: 0, reason };
}
