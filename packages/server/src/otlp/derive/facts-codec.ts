import { compressInline, decompressInline } from "../../payloads/zstd.ts";
import type { DerivedSpan } from "../../trace-store/rows/derived-trace.ts";
import type { PostedSpan, SpanFactsCodec } from "../../trace-store/rows/trace-piece.ts";
import { textKey } from "../decode/text-key.ts";
import type { LogFacts, SpanFacts } from "../map/span-facts.ts";
import { maskFacts } from "../mask-facts.ts";
import { deriveTrace } from "./derive-trace.ts";
import type { FactsPart } from "./facts-part.ts";
import { mergeFacts } from "./merge-facts.ts";
import { postedFacts } from "./posted-facts.ts";
import { usageOf } from "./usage-facts.ts";

/** The parts of a trace are read with each piece. Decompressing small ones would take longer than deriving the trace. */
const MIN_COMPRESSED_BYTES = 4_096;
const PLAIN = 0;
const ZSTD = 1;
const HEADER_BYTES = 5;

/** A part is its format, the length of its JSON, and the JSON, compressed unless it is short. */
export function encodeFacts(part: FactsPart): Buffer {
  const json = Buffer.from(JSON.stringify(part));
  const isCompressed = json.length >= MIN_COMPRESSED_BYTES;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(isCompressed ? ZSTD : PLAIN);
  header.writeUInt32BE(json.length, 1);
  return Buffer.concat([header, isCompressed ? compressInline(json) : json]);
}

function decodeFacts(bytes: Uint8Array): FactsPart {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const content = part.subarray(HEADER_BYTES);
  const json = part[0] === ZSTD ? decompressInline(content, part.readUInt32BE(1)) : content;
  return JSON.parse(json.toString());
}

/** A span that is in several parts is merged; a log record counts once, however often it was sent. */
function collectFacts(parts: readonly Uint8Array[]): Required<Omit<FactsPart, "maskingVersion">> {
  const spans = new Map<string, SpanFacts>();
  const posted = new Map<string, SpanFacts>();
  const logs = new Map<string, LogFacts>();
  for (const part of parts.map(decodeFacts)) {
    for (const span of part.spans ?? []) {
      const former = spans.get(span.id);
      spans.set(span.id, former ? mergeFacts(former, span) : span);
    }
    for (const span of part.posted ?? []) posted.set(span.id, span);
    for (const log of part.logs ?? []) logs.set(textKey(JSON.stringify(log)), log);
  }
  for (const id of posted.keys()) spans.delete(id);
  return { spans: [...spans.values()], posted: [...posted.values()], logs: [...logs.values()] };
}

const derivedSpan = (facts: SpanFacts): DerivedSpan => ({
  id: facts.id,
  parentSpanId: facts.parentId ?? null,
  name: facts.name,
  type: facts.type,
  status: facts.status,
  statusMessage: facts.error ?? null,
  startedAt: facts.startMs,
  endedAt: Math.floor(facts.endMs),
  durationMs: null,
  costUsd: facts.costUsd ?? null,
  usage: usageOf(facts),
});

const errorEvents = ({ id, errorEvents = [] }: SpanFacts) =>
  errorEvents.map(({ name, timeMs }) => ({ type: "ERROR" as const, name, spanId: id, timestamp: timeMs }));

export const SPAN_FACTS_CODEC: SpanFactsCodec = {
  derive(parts) {
    const { spans, posted, logs } = collectFacts(parts);
    const all = [...posted, ...spans];
    return {
      ...deriveTrace(all, logs),
      spans: all.map(derivedSpan),
      errorEvents: all.flatMap(errorEvents),
    };
  },
  compact: (parts) => encodeFacts(collectFacts(parts)),
  bytesOf: (part) => Buffer.from(part.buffer, part.byteOffset, part.length).readUInt32BE(1),
  *mask(part, masking, masker) {
    const facts = decodeFacts(part);
    yield;
    const masked = yield* maskFacts(facts, masking, masker);
    yield;
    return masked === facts ? part : encodeFacts(masked);
  },
  maskingVersion: (part) => decodeFacts(part).maskingVersion,
  withMaskingVersion: (part, maskingVersion) => encodeFacts({ ...decodeFacts(part), maskingVersion }),
  encodePosted: (spans: readonly PostedSpan[]) => encodeFacts({ posted: spans.map(postedFacts) }),
};
