import { byteLength, cutBytes } from "./byte-length.ts";
import type { TracePayload } from "./payload.ts";
import { cutMark, VALUE_WEIGHT } from "./to-json.ts";

/** What a cut leaves of a payload at the least: enough to recognise it. */
const PREVIEW_BYTES = 256;

interface Payload {
  holder: object;
  field: string;
  text: string;
  bytes: number;
  isText: boolean;
}

/**
 * Makes a trace lighter in place until its JSON has at most so many bytes: the largest inputs and outputs first, then
 * metadata, then context snapshots, last the newest spans and events. What was chosen, from what and why, is never cut.
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
  let bytes = bytesOf(trace);
  for (const payloads of stages) {
    if (bytes <= maxBytes) return;
    bytes -= cutLargest(payloads, bytes - maxBytes);
  }
  if (bytes > maxBytes) dropNewest(trace, bytes - maxBytes);
}

const bytesOf = (value: unknown) => byteLength(JSON.stringify(value) ?? "");

function payloadsOf(holder: object, fields: string[]): Payload[] {
  return fields.flatMap((field) => {
    const value = Reflect.get(holder, field);
    if (value === undefined) return [];
    const isText = typeof value === "string";
    const json = JSON.stringify(value);
    return [{ holder, field, text: isText ? value : json, bytes: weightOf(json), isText }];
  });
}

/** Many small values weigh more than their text: the server counts them. */
function weightOf(json: string): number {
  let values = 1;
  for (let index = 0; index < json.length; index++) if (json.charCodeAt(index) === 0x2c) values++;
  return Math.max(byteLength(json), values * VALUE_WEIGHT);
}

/** Finds the size above which payloads are cut so that enough is saved; returns what was saved. */
function cutLargest(payloads: Payload[], excess: number): number {
  const sorted = payloads.toSorted((a, b) => b.bytes - a.bytes);
  let limit = PREVIEW_BYTES;
  let above = 0;
  for (const [index, { bytes }] of sorted.entries()) {
    above += bytes;
    const even = (above - excess) / (index + 1);
    if (even >= (sorted[index + 1]?.bytes ?? 0)) {
      limit = Math.max(PREVIEW_BYTES, Math.floor(even));
      break;
    }
  }
  let saved = 0;
  for (const payload of sorted) {
    if (payload.bytes <= limit) break;
    saved += cutPayload(payload, limit);
  }
  return saved;
}

function cutPayload({ holder, field, text, bytes, isText }: Payload, limit: number): number {
  const mark = cutMark(`${text.length} characters in all`);
  // Quotes and backslashes grow when they are written as JSON: what is kept of them must still fit.
  let room = limit - byteLength(mark) - 2;
  let cut = cutBytes(text, room);
  const growth = bytesOf(cut) / (byteLength(cut) + 2);
  if (growth > 1) {
    room = Math.floor(room / growth);
    cut = cutBytes(cut, room);
  }
  // An earlier cut's mark would be cut in half and say less than the new one.
  Reflect.set(
    holder,
    field,
    isText && text.endsWith(" in all]") ? cut + text.slice(text.lastIndexOf("… [cut by")) : cut + mark,
  );
  return bytes - bytesOf(Reflect.get(holder, field));
}

function dropNewest(trace: TracePayload, excess: number): void {
  let left = excess + 1_024;
  const dropped = { spans: 0, events: 0 };
  for (const kind of ["events", "spans"] as const)
    while (left > 0 && trace[kind].length > 0) {
      left -= bytesOf(trace[kind].pop()) + 1;
      dropped[kind]++;
    }
  const { spans, events } = dropped;
  if (spans + events > 0)
    trace.events.push({
      id: `cut-${trace.spans.length}-${spans}`,
      type: "CUSTOM",
      name: `cut by whytrace: ${spans} spans and ${events} events did not fit`,
      timestamp: trace.startedAt,
    });
}
