import { type ModelUsage, type ParsedSpan, RawJson, type SpanType, type Status } from "@whytrace/contract";
import { membersOf, OPEN_OBJECT, skipBlanks } from "../../masking/json/json-walk.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";

/*
 * OpenTelemetry may send a span more than once, later perhaps with fewer fields. What a later version says wins; what it
 * leaves out stays. So each function takes the former value first.
 */

/** The name of a span that was sent without one. */
export const UNNAMED_SPAN = "span";
/** Longer metadata is not read on the event loop: that of the later version then replaces the former one. */
const MAX_MERGED_BYTES = 1024 * 1024;

export const laterName = (former: string, later: string) => (later === UNNAMED_SPAN ? former : later);

/** CUSTOM is the type of a span that does not say what it is. */
export const laterType = (former: SpanType, later: SpanType) => (later === "CUSTOM" ? former : later);

/** A span that failed stays failed: a version without a status is no success. */
export const laterStatus = (former: Status, later: Status) => (former === "ERROR" ? former : later);

/** A version without an end, or without both times, starts when it ends. */
export const laterTimes = (former: Times, later: Times): Times =>
  Math.floor(later.endMs) > later.startMs
    ? later
    : { startMs: former.startMs || later.startMs, endMs: Math.max(former.endMs, later.endMs) };

interface Times {
  /** 0 if it is unknown. */
  startMs: number;
  endMs: number;
}

export function laterSpan<Span extends ParsedSpan>(former: ParsedSpan, later: Span): Span {
  return {
    ...later,
    ...durationOf(former, later),
    parentSpanId: later.parentSpanId ?? former.parentSpanId,
    name: laterName(former.name, later.name),
    type: laterType(former.type, later.type),
    status: laterStatus(former.status, later.status),
    statusMessage: later.statusMessage ?? former.statusMessage,
    input: later.input ?? former.input,
    output: later.output ?? former.output,
    metadata: laterMetadata(former.metadata, later.metadata),
    tokenCount: later.tokenCount ?? former.tokenCount,
    costUsd: later.costUsd ?? former.costUsd,
    usage: laterUsage(former.usage, later.usage),
  };
}

function durationOf(former: ParsedSpan, later: ParsedSpan) {
  const timesOf = ({ startedAt, endedAt }: ParsedSpan) => ({
    startMs: startedAt,
    endMs: endedAt ?? startedAt,
  });
  const { startMs, endMs } = laterTimes(timesOf(former), timesOf(later));
  const isOf = (span: ParsedSpan) => span.startedAt === startMs && span.endedAt === endMs;
  // Durations are more precise than times.
  const source = isOf(later) ? later : isOf(former) ? former : undefined;
  return { startedAt: startMs, endedAt: endMs, durationMs: source ? source.durationMs : endMs - startMs };
}

function laterUsage(former: ModelUsage | null | undefined, later: ModelUsage | null | undefined) {
  if (!former || !later) return later ?? former ?? null;
  return {
    model: later.model ?? former.model,
    inputTokens: later.inputTokens ?? former.inputTokens,
    cacheReadTokens: later.cacheReadTokens ?? former.cacheReadTokens,
    cacheWriteTokens: later.cacheWriteTokens ?? former.cacheWriteTokens,
    outputTokens: later.outputTokens ?? former.outputTokens,
    reasoningTokens: later.reasoningTokens ?? former.reasoningTokens,
  };
}

/** Adds the members whose keys only the former version has. The bytes of both stay as they are. */
function laterMetadata(former: unknown, later: unknown): unknown {
  const [before, after] = [objectBytes(former), objectBytes(later)];
  if (!before || !after) return later ?? former;
  if (before.length + after.length > MAX_MERGED_BYTES) return later;
  const own = [...membersOf(after)];
  const known = new Set(own.map(({ key }) => key));
  const added = [...membersOf(before)].filter(({ key }) => !known.has(key));
  if (added.length === 0) return later;
  const members = [...own, ...added].flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [COMMA, bytes]));
  const merged = Buffer.concat([OPEN, ...members, CLOSE]);
  return new RawJson(merged, 0, merged.length);
}

const [OPEN, COMMA, CLOSE] = [Buffer.from("{"), Buffer.from(","), Buffer.from("}")];

/** Undefined unless the value is an object. */
function objectBytes(value: unknown): Buffer | undefined {
  const bytes = payloadBytes(value);
  if (!bytes || bytes[skipBlanks(bytes, 0)] !== OPEN_OBJECT) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
