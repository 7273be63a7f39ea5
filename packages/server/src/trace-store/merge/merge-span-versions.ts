import { type ParsedSpan, RawJson } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { PACKED_FIELDS } from "../../payloads/packed-fields.ts";
import type { MergeContext } from "./merge-context.ts";
import { readSpanPayloads, type SpanPayloads } from "./read-span-payloads.ts";
import { laterSpan } from "./span-versions.ts";
import { isPostedSpan, type Merge } from "./stored-pieces.ts";

export interface MergedVersions {
  spans: ParsedSpan[];
  /** Which payloads the former versions have that were not merged, by position. */
  unread: SpanPayloads["unread"];
}

/** Adds to a piece's spans what their stored versions say and they leave out. Spans that were posted stay as they are. */
export async function mergeSpanVersions(
  { client, workspaceId }: MergeContext,
  { piece, stored }: Merge,
): Promise<MergedVersions> {
  const spans = piece.spans.filter(({ id }) => !isPostedSpan(stored, id));
  const positions = spans.flatMap(({ id }) => stored.spans.get(id)?.position ?? []);
  const { read, unread } = await readSpanPayloads(client, workspaceId, piece.id, positions);
  const merged = await runInTimeSlices(
    (function* () {
      const merged: ParsedSpan[] = [];
      for (const span of spans) {
        const former = stored.spans.get(span.id);
        merged.push(former ? laterSpan(withPayloads(former.span, read.get(former.position)), span) : span);
        if (former) yield;
      }
      return merged;
    })(),
  );
  return { spans: merged, unread };
}

function withPayloads(span: ParsedSpan, payloads: (Buffer | null)[] = []): ParsedSpan {
  const values = PACKED_FIELDS.spans.map((field, index) => {
    const bytes = payloads[index];
    return [field, bytes && new RawJson(bytes, 0, bytes.length)];
  });
  return payloads.length === 0 ? span : { ...span, ...Object.fromEntries(values) };
}
