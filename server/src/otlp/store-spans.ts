import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { HttpError } from "../http/http-error.ts";
import { bodyCost } from "../ingest/batch-cost.ts";
import type { IngestOutcome, JobContext, OtlpJob } from "../ingest/ingest-job.ts";
import { FACTS } from "./facts-codec.ts";
import { readTraces } from "./read-otlp.ts";
import { type MappedPiece, toPieces } from "./to-pieces.ts";

/** As much as POST /api/traces takes of one trace. */
const MAX_PIECE_BYTES = 10 * 1024 * 1024;

/** Merges the spans of a request into their traces. */
export async function storeSpans(
  { encoding, isPlanUsedUp }: OtlpJob,
  body: Buffer,
  { store, sender, onParsed }: JobContext,
): Promise<IngestOutcome> {
  const { spans, rejected, reason } = await readTraces(body, encoding);
  const pieces = await runInTimeSlices(toPieces(spans));
  const records = spans.length + [...pieces.values()].reduce((sum, { events }) => sum + events.length, 0);
  onParsed(bodyCost(body.length, pieces.size, records));
  const outcome = { count: 0, rejected, reasons: reason ? [reason] : [] };
  const reject = (rejectedPieces: MappedPiece[], why: string) => {
    const count = rejectedPieces.reduce((sum, { sentSpans }) => sum + sentSpans, 0);
    if (count === 0) return;
    outcome.rejected += count;
    outcome.reasons.push(`${count} ${count === 1 ? "span" : "spans"} rejected: ${why}`);
    for (const { id } of rejectedPieces) pieces.delete(id);
  };
  reject(
    [...pieces.values()].filter(({ bytes }) => bytes > MAX_PIECE_BYTES),
    "a trace may have 10 MiB in a request",
  );
  if (pieces.size > 0) {
    const merge = (isExistingOnly: boolean) =>
      store.merge(sender, { pieces, facts: FACTS, isExistingOnly }, body.length);
    let isUsedUp = isPlanUsedUp;
    let stored = isUsedUp
      ? await merge(true)
      : await merge(false).catch((error: unknown) => {
          if (!(error instanceof HttpError) || error.status !== 429) throw error;
          isUsedUp = true;
          return merge(true);
        });
    // Nothing goes on, so the sender is told to come back later; or the plan has room again.
    if (stored.size === 0 && isUsedUp) stored = await merge(false);
    outcome.count = stored.size;
    reject(
      [...pieces.values()].filter(({ id }) => !stored.has(id)),
      isUsedUp
        ? "the limit of your plan is reached, so only traces that have begun go on. Upgrade at /settings/billing"
        : "their trace ids belong to another account",
    );
  }
  return { count: outcome.count, rejected: outcome.rejected, reason: outcome.reasons.join("; ") };
}
