import { type ParsedEvent, type ParsedSpan, RawJson } from "@whytrace/contract";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import type { TracePiece } from "../trace-store/trace-piece.ts";
import { encodeFacts } from "./facts-codec.ts";
import { mapSpan } from "./map-span.ts";
import type { MappedSpan } from "./mapped-span.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import { usageFacts } from "./usage-facts.ts";

const SPANS_PER_STEP = 16;

/** The spans of a request, by trace. */
export interface MappedPiece extends TracePiece {
  /** Bytes of payloads. */
  bytes: number;
  /** How many spans the sender sent, with those that it sent twice. */
  sentSpans: number;
}

/** Groups spans by trace and maps them; yields where the caller may pause. Of spans with the same id the last one counts. */
export function* toPieces(spans: OtlpSpan[]): Generator<undefined, Map<string, MappedPiece>> {
  const pieces = new Map<string, MappedPiece>();
  for (const [traceId, sent] of Map.groupBy(spans, (span) => span.traceId)) {
    const unique = [...new Map(sent.map((span) => [span.spanId, span])).values()];
    const mapped: MappedSpan[] = [];
    for (const [index, span] of unique.entries()) {
      mapped.push(mapSpan(span));
      if (index % SPANS_PER_STEP === SPANS_PER_STEP - 1) yield;
    }
    const piece = {
      id: traceId,
      spans: mapped.map(({ span }) => span),
      events: mapped.flatMap(({ events }) => events),
      hasRoot: unique.some(({ parentSpanId }) => parentSpanId === null),
      loggedIds: [],
      part: encodeFacts({
        spans: mapped.map(({ span, facts }) => ({ ...facts, ...usageFacts(span.usage) })),
      }),
      sentSpans: sent.length,
    };
    const bytes = [
      ...piece.spans.map((span) => encodePayloads(span, PACKED_FIELDS.spans)),
      ...piece.events.map((event) => encodePayloads(event, PACKED_FIELDS.events)),
    ].reduce((sum, length) => sum + length, 0);
    pieces.set(traceId, { ...piece, bytes });
    yield;
  }
  return pieces;
}

/** Replaces payloads by the bytes that are stored, so that they are encoded once. Returns their number. */
function encodePayloads(record: ParsedSpan | ParsedEvent, fields: readonly string[]): number {
  const values: Record<string, unknown> = record;
  let length = 0;
  for (const field of fields) {
    const bytes = payloadBytes(values[field]);
    values[field] = bytes && new RawJson(bytes, 0, bytes.length);
    length += bytes?.length ?? 0;
  }
  return length;
}
