import type { TracePayload } from "../payload.ts";
import { truncationMark, VALUE_WEIGHT } from "./to-json.ts";
import { byteLength, truncateUtf8 } from "./utf8.ts";

/** A truncated payload keeps at least this much, enough to recognise it. */
const MIN_PAYLOAD_BYTES = 256;

interface Payload {
  holder: object;
  field: string;
  text: string;
  bytes: number;
  isString: boolean;
}

/**
 * Truncates a trace in place until its JSON fits into `maxBytes`: the largest inputs and outputs first, then metadata,
 * then context snapshots. Last, it drops the newest events and spans. It never truncates `chosen`, `alternatives` or
 * `reasoning`.
 */
export function fitTrace(trace: TracePayload, maxBytes: number): void {
  const { spans, events, decisionPoints } = trace;
  const stages = [
    spans.flatMap((span) => payloadsOf(span, ["input", "output"])),
    [
      ...payloadsOf(trace, ["metadata"]),
      ...[...spans, ...events].flatMap((one) => payloadsOf(one, ["metadata"])),
    ],
    decisionPoints.flatMap((point) => payloadsOf(point, ["contextSnapshot"])),
  ];
  let bytes = jsonBytes(trace);
  for (const payloads of stages) {
    if (bytes <= maxBytes) return;
    bytes -= truncateLargest(payloads, bytes - maxBytes);
  }
  if (bytes > maxBytes) dropNewest(trace, bytes - maxBytes);
}

const jsonBytes = (value: unknown) => byteLength(JSON.stringify(value) ?? "");

function payloadsOf(holder: object, fields: string[]): Payload[] {
  return fields.flatMap((field) => {
    const value = Reflect.get(holder, field);
    if (value === undefined) return [];
    const isString = typeof value === "string";
    const json = JSON.stringify(value);
    return [{ holder, field, text: isString ? value : json, bytes: weightOf(json), isString }];
  });
}

/** The server limits the number of values, too, so many small values weigh more than their bytes. */
function weightOf(json: string): number {
  let values = 1;
  for (let index = 0; index < json.length; index++) if (json.charCodeAt(index) === 0x2c) values++;
  return Math.max(byteLength(json), values * VALUE_WEIGHT);
}

/** Truncates every payload above one common limit, so that `excess` bytes are saved. Returns the bytes saved. */
function truncateLargest(payloads: Payload[], excess: number): number {
  const sorted = payloads.toSorted((a, b) => b.bytes - a.bytes);
  let limit = MIN_PAYLOAD_BYTES;
  let largestBytes = 0;
  for (const [index, { bytes }] of sorted.entries()) {
    largestBytes += bytes;
    const commonLimit = (largestBytes - excess) / (index + 1);
    if (commonLimit >= (sorted[index + 1]?.bytes ?? 0)) {
      limit = Math.max(MIN_PAYLOAD_BYTES, Math.floor(commonLimit));
      break;
    }
  }
  let saved = 0;
  for (const payload of sorted) {
    if (payload.bytes <= limit) break;
    saved += truncatePayload(payload, limit);
  }
  return saved;
}

function truncatePayload({ holder, field, text, bytes, isString }: Payload, limit: number): number {
  const mark = truncationMark(`${text.length} characters in all`);
  // Escaping makes quotes and backslashes longer, and the escaped text has to fit.
  let maxBytes = limit - byteLength(mark) - 2;
  let kept = truncateUtf8(text, maxBytes);
  const growth = jsonBytes(kept) / (byteLength(kept) + 2);
  if (growth > 1) {
    maxBytes = Math.floor(maxBytes / growth);
    kept = truncateUtf8(kept, maxBytes);
  }
  // A payload truncated before keeps its mark, which states the original length.
  Reflect.set(
    holder,
    field,
    isString && text.endsWith(" in all]")
      ? kept + text.slice(text.lastIndexOf("… [truncated by"))
      : kept + mark,
  );
  return bytes - jsonBytes(Reflect.get(holder, field));
}

function dropNewest(trace: TracePayload, excess: number): void {
  let remaining = excess + 1_024;
  const dropped = { spans: 0, events: 0 };
  for (const kind of ["events", "spans"] as const)
    while (remaining > 0 && trace[kind].length > 0) {
      remaining -= jsonBytes(trace[kind].pop()) + 1;
      dropped[kind]++;
    }
  const { spans, events } = dropped;
  if (spans + events > 0)
    trace.events.push({
      id: `cut-${trace.spans.length}-${spans}`,
      type: "CUSTOM",
      name: `truncated by whytrace: ${spans} spans and ${events} events did not fit`,
      timestamp: trace.startedAt,
    });
}
