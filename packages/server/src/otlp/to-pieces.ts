import { type ParsedEvent, type ParsedSpan, RawJson } from "@whytrace/contract";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { Masker } from "../masking/masker.ts";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import { exceededLimit } from "../trace-store/merge/exceeded-limit.ts";
import type { TracePiece } from "../trace-store/rows/trace-piece.ts";
import { MAX_PIECE_BYTES, MAX_REQUEST_BYTES } from "./decode/otlp-limits.ts";
import type { Attributes, OtlpSpan, OtlpValue } from "./decode/otlp-span.ts";
import { encodeFacts, SPAN_FACTS_CODEC } from "./derive/facts-codec.ts";
import { usageFacts } from "./derive/usage-facts.ts";
import { mapSpan } from "./map/map-span.ts";
import type { MappedSpan } from "./map/mapped-span.ts";
import { SharedMasking, SpanMasking } from "./mask-span.ts";
import { structureOfSpan } from "./structure-of-span.ts";
import { uniqueSpans } from "./unique-spans.ts";

const SPANS_PER_STEP = 16;
/** Bytes between two reports to the caller. */
const REPORTED_BYTES = 1024 * 1024;

/** The spans of a request, by trace. */
interface MappedPiece extends TracePiece {
  /** How many spans the sender sent, with those that it sent twice. */
  sentSpans: number;
}

interface MappedRequest {
  /** By the id of their trace. */
  pieces: Map<string, MappedPiece>;
  /** How many spans are left out, by the limit that they exceed, in words. */
  rejected: Map<string, number>;
}

const TRACE_TOO_LARGE = "a trace may have 10 MiB in a request";
const REQUEST_TOO_LARGE =
  "a request may have 64 MiB, with the resource that is stored with each span. Send fewer spans in a request";

/**
 * Groups spans by trace, masks and maps them; yields where the caller may pause. Spans with the same id are merged.
 * Each span gets a copy of what its process says, so a short request may become a long one: what is mapped is counted
 * while it grows, and mapping ends at the limits. `onMapped` gets the bytes so far.
 */
export function* toPieces(
  spans: OtlpSpan[],
  masking: CompiledMasking,
  onMapped: (bytes: number) => void = () => undefined,
): Generator<undefined, MappedRequest> {
  const mapped: MappedRequest = { pieces: new Map(), rejected: new Map() };
  const counter = new MappedBytes(onMapped);
  const shared = new SharedMasking(masking);
  for (const [traceId, sent] of Map.groupBy(spans, (span) => span.traceId)) {
    const piece = counter.isFull
      ? REQUEST_TOO_LARGE
      : yield* toPiece(traceId, sent, { masking, shared, counter });
    if (typeof piece === "string")
      mapped.rejected.set(piece, (mapped.rejected.get(piece) ?? 0) + sent.length);
    else mapped.pieces.set(traceId, piece);
    yield;
  }
  counter.report();
  return mapped;
}

class MappedBytes {
  readonly #onMapped: (bytes: number) => void;
  #bytes = 0;
  #reported = 0;

  constructor(onMapped: (bytes: number) => void) {
    this.#onMapped = onMapped;
  }

  get isFull() {
    return this.#bytes > MAX_REQUEST_BYTES;
  }

  add(bytes: number) {
    this.#bytes += bytes;
    if (this.#bytes - this.#reported >= REPORTED_BYTES) this.report();
  }

  report() {
    this.#reported = this.#bytes;
    this.#onMapped(this.#bytes);
  }
}

/** The spans of a trace, or the limit that they exceed. */
function* toPiece(
  id: string,
  sent: OtlpSpan[],
  { masking, shared, counter }: { masking: CompiledMasking; shared: SharedMasking; counter: MappedBytes },
): Generator<undefined, MappedPiece | string> {
  const unique = uniqueSpans(sent);
  const masker = new Masker(masking, { traceId: id });
  const spanMasking = masking.isOff ? undefined : new SpanMasking(masker, shared);
  const mapped: MappedSpan[] = [];
  let bytes = 0;
  for (const [index, span] of unique.entries()) {
    if (isTooLong(span)) return TRACE_TOO_LARGE;
    const masked = mapSpan(spanMasking ? masking.tally.time(() => spanMasking.span(span)) : span);
    const one = masking.level === "structure" ? structureOfSpan(masked, mapSpan(span), masker) : masked;
    let length = encodePayloads(one.span, PACKED_FIELDS.spans);
    for (const event of one.events) length += encodePayloads(event, PACKED_FIELDS.events);
    bytes += length;
    counter.add(length);
    if (bytes > MAX_PIECE_BYTES) return TRACE_TOO_LARGE;
    if (counter.isFull) return REQUEST_TOO_LARGE;
    mapped.push(one);
    if (index % SPANS_PER_STEP === SPANS_PER_STEP - 1) yield;
  }
  const part = encodeFacts({
    spans: mapped.map(({ span, facts }) => ({ ...facts, ...usageFacts(span.usage) })),
  });
  const events = mapped.flatMap((one) => one.events);
  const factsBytes = SPAN_FACTS_CODEC.bytesOf(part);
  const exceeded = exceededLimit({ spans: mapped.length, events: events.length, bytes, factsBytes });
  if (exceeded) return exceeded;
  return {
    id,
    spans: mapped.map(({ span }) => span),
    events,
    hasRoot: unique.some(({ parentSpanId }) => parentSpanId === null),
    loggedIds: [],
    part,
    bytes,
    factsBytes,
    masking: { version: masking.version, counts: masker.counts },
    sentSpans: sent.length,
  };
}

/** Whether a span is longer than its trace may be. Mapping it would take several times as much memory. */
function isTooLong({ attributes, events, links }: OtlpSpan): boolean {
  let length = attributesLength(attributes);
  for (const event of events) length += attributesLength(event.attributes);
  for (const link of links) length += attributesLength(link.attributes);
  return length > MAX_PIECE_BYTES;
}

function attributesLength(attributes: Attributes): number {
  let length = 0;
  for (const value of attributes.values()) length += valueLength(value);
  return length;
}

function valueLength(value: OtlpValue): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const item of Object.values(value)) length += valueLength(item);
  return length;
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
