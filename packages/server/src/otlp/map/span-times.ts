import type { OtlpSpan } from "../decode/otlp-span.ts";

interface SpanTimes {
  /** Whole milliseconds. */
  startedAt: number;
  endedAt: number;
  /** With its fraction, for the order of spans that start in the same millisecond. */
  endMs: number;
  durationMs: number;
}

const MAX_MS = Date.UTC(9999, 11, 31);

/** The times of a span. Senders leave out times, and clocks are set back: a span starts and ends nonetheless, in order. */
export function spanTimes(span: OtlpSpan): SpanTimes {
  const end = bounded(span.endMs) || bounded(span.startMs);
  const start = bounded(span.startMs) || end;
  const startedAt = Math.floor(start);
  const endMs = Math.max(startedAt, toMicroseconds(end));
  return {
    startedAt,
    endedAt: Math.floor(endMs),
    endMs,
    durationMs: Math.max(0, toMicroseconds(end - start)),
  };
}

/** An instant that a database and a date can hold; 0 if it is unknown. */
const bounded = (ms: number) => (ms > 0 ? Math.min(ms, MAX_MS) : 0);

/** An instant in whole milliseconds that can be stored. */
export const storableMs = (ms: number) => Math.floor(bounded(ms));

const toMicroseconds = (ms: number) => Math.round(ms * 1_000) / 1_000;
