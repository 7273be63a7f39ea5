import type { TraceMasking } from "@whytrace/contract";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { HttpError } from "../http/http-error.ts";
import { bodyCost } from "../ingest/batch-cost.ts";
import type { IngestOutcome, JobContext, OtlpJob } from "../ingest/ingest-job.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { exceededLimit } from "../trace-store/merge/exceeded-limit.ts";
import { MAX_PENDING, storePendingParts } from "../trace-store/merge/store-pending-parts.ts";
import type { TracePiece } from "../trace-store/rows/trace-piece.ts";
import type { OtlpLogRecord } from "./decode/otlp-span.ts";
import { readLogs } from "./decode/read-otlp.ts";
import { encodeFacts, SPAN_FACTS_CODEC } from "./derive/facts-codec.ts";
import { mayBeKept } from "./map/map-log.ts";
import type { LogFacts } from "./map/span-facts.ts";
import { maskLogs } from "./mask-logs.ts";

const NOT_KEPT =
  "not kept: Whytrace keeps GenAI events that name a trace and a span, such as " +
  "gen_ai.client.inference.operation.details, gen_ai.*.message, gen_ai.choice and gen_ai.evaluation.result";

const TOO_MANY_TRACES =
  `Log records of more than ${MAX_PENDING.toLocaleString("en")} traces in one request. ` +
  "Send fewer log records at a time.";

interface SentLogs {
  byTrace: ReadonlyMap<string, readonly OtlpLogRecord[]>;
  notKept: number;
  bytes: number;
}

/**
 * Completes spans with what log records say about them. Records whose trace has not come yet wait for it; they neither
 * create a trace nor count towards a plan.
 */
export async function storeLogs(
  { encoding }: OtlpJob,
  body: Buffer,
  context: JobContext,
): Promise<IngestOutcome> {
  const { records, rejected } = await readLogs(body, encoding);
  context.onParsed(bodyCost(body.length, 0, records.length));
  const kept = records.filter(mayBeKept);
  const sent: SentLogs = {
    byTrace: Map.groupBy(kept, ({ traceId }) => traceId),
    notKept: rejected + records.length - kept.length,
    bytes: body.length,
  };
  if (sent.byTrace.size > MAX_PENDING) throw new HttpError(413, TOO_MANY_TRACES);
  return context.maskings.apply(context.sender.workspaceId, (masking) => storeMasked(sent, masking, context));
}

async function storeMasked(
  { byTrace: sent, notKept: notKeptBefore, bytes }: SentLogs,
  masking: CompiledMasking,
  { store, connections, sender }: JobContext,
): Promise<IngestOutcome> {
  const byTrace = await runInTimeSlices(maskLogs(sent, masking));
  let notKept = notKeptBefore;
  for (const [traceId, records] of sent) notKept += records.length - (byTrace.get(traceId)?.logs.length ?? 0);
  const outcome = { count: 0, rejected: 0, reasons: notKept > 0 ? [`${countOf(notKept)} ${NOT_KEPT}`] : [] };
  const reject = (traceId: string, why: string) => {
    const count = byTrace.get(traceId)?.logs.length ?? 0;
    outcome.rejected += count;
    outcome.reasons.push(`${countOf(count)} rejected: ${why}`);
  };
  const parts = new Map<string, Buffer>();
  for (const [traceId, { logs }] of byTrace) {
    const part = encodeFacts({ logs, maskingVersion: masking.version });
    const exceeded = exceededLimit({ ...NO_SPANS, factsBytes: SPAN_FACTS_CODEC.bytesOf(part) });
    if (exceeded) reject(traceId, exceeded);
    else parts.set(traceId, part);
  }
  if (parts.size > 0) {
    const { existing, isFull } = await connections.writes.transaction(sender.workspaceId, (_client, trx) =>
      storePendingParts(trx, sender, parts, masking.version),
    );
    if (isFull)
      throw HttpError.tooManyRequests("Too many log records wait for their spans. Send the spans, too.", 60);
    const pieces = new Map(
      existing.map((id) => {
        const { logs, counts } = byTrace.get(id) ?? { logs: [], counts: null };
        return [id, toPiece(id, logs, parts.get(id), { version: masking.version, counts })];
      }),
    );
    if (pieces.size > 0) {
      const merge = { pieces, codec: SPAN_FACTS_CODEC, isExistingOnly: true };
      const { ids, rejected: full } = await store.merge(sender, merge, bytes, masking.version);
      outcome.count = ids.size;
      for (const [traceId, why] of full) reject(traceId, why);
    }
  }
  return { count: outcome.count, rejected: outcome.rejected, reason: outcome.reasons.join("; ") };
}

const countOf = (records: number) => `${records} log ${records === 1 ? "record" : "records"}`;

const NO_SPANS = { spans: 0, events: 0, bytes: 0 };

const toPiece = (
  id: string,
  logs: LogFacts[],
  part: Buffer | undefined,
  masking: TraceMasking,
): TracePiece => ({
  id,
  spans: [],
  events: [],
  hasRoot: false,
  loggedIds: logs.flatMap(({ spanId, callId = spanId }) => callId ?? []),
  part,
  bytes: 0,
  factsBytes: part ? SPAN_FACTS_CODEC.bytesOf(part) : 0,
  masking,
});
