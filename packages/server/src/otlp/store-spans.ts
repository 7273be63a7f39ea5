import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { HttpError } from "../http/http-error.ts";
import { bodyCost } from "../ingest/batch-cost.ts";
import type { IngestOutcome, JobContext, OtlpJob } from "../ingest/ingest-job.ts";
import { bareRoots } from "./bare-roots.ts";
import { readTraces } from "./decode/read-otlp.ts";
import { SPAN_FACTS_CODEC } from "./derive/facts-codec.ts";
import { toPieces } from "./to-pieces.ts";

/** Merges the spans of a request into their traces. */
export async function storeSpans(
  { encoding, isPlanUsedUp }: OtlpJob,
  body: Buffer,
  { store, maskings, sender, onParsed }: JobContext,
): Promise<IngestOutcome> {
  const { spans, rejected, reason } = await readTraces(body, encoding);
  let size = body.length;
  const onMapped = (bytes: number) => {
    size = Math.max(body.length, bytes);
    onParsed(size);
  };
  return maskings.apply(sender.workspaceId, async (masking) => {
    const { pieces, rejected: tooLarge } = await runInTimeSlices(toPieces(spans, masking, onMapped));
    const records = spans.length + [...pieces.values()].reduce((sum, { events }) => sum + events.length, 0);
    onParsed(bodyCost(size, pieces.size, records));
    const outcome = { count: 0, rejected, reasons: reason ? [reason] : [] };
    const reject = (count: number, why: string) => {
      if (count === 0) return;
      outcome.rejected += count;
      outcome.reasons.push(`${count} ${count === 1 ? "span" : "spans"} rejected: ${why}`);
    };
    for (const [why, count] of tooLarge) reject(count, why);
    const mergePieces = (merged: typeof pieces, isExistingOnly: boolean) =>
      store.merge(sender, { pieces: merged, codec: SPAN_FACTS_CODEC, isExistingOnly }, size, masking.version);
    let hasRejected = tooLarge.size > 0;
    let isStored = (_traceId: string) => false;
    if (pieces.size > 0) {
      const merge = (isExistingOnly: boolean) => mergePieces(pieces, isExistingOnly);
      let isUsedUp = isPlanUsedUp;
      let stored = isUsedUp
        ? await merge(true)
        : await merge(false).catch((error: unknown) => {
            if (!(error instanceof HttpError) || error.status !== 429) throw error;
            isUsedUp = true;
            return merge(true);
          });
      // Nothing goes on, so the sender is told to come back later; or the plan has room again.
      if (stored.ids.size === 0 && stored.rejected.size === 0 && isUsedUp) stored = await merge(false);
      outcome.count = stored.ids.size;
      const { ids, rejected: full } = stored;
      if (full.size > 0) hasRejected = true;
      isStored = (traceId) => ids.has(traceId);
      const notStored = isUsedUp
        ? "the limit of your plan is reached, so only traces that have begun go on. See /settings/billing"
        : "their trace ids belong to another account";
      const skipped = [...pieces.values()].filter(({ id }) => !stored.ids.has(id));
      for (const [why, own] of Map.groupBy(skipped, ({ id }) => stored.rejected.get(id) ?? notStored))
        reject(
          own.reduce((sum, { sentSpans }) => sum + sentSpans, 0),
          why,
        );
    }
    // A trace that has no room for its root would run for ever.
    const roots = hasRejected ? bareRoots(spans, isStored) : [];
    if (roots.length > 0) await mergePieces((await runInTimeSlices(toPieces(roots, masking))).pieces, true);
    return { count: outcome.count, rejected: outcome.rejected, reason: outcome.reasons.join("; ") };
  });
}
