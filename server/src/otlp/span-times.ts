import type { OtlpSpan } from "./otlp-span.ts";

export interface SpanTimes {
  /** Whole milliseconds. */
  startedAt: number;
  endedAt: number;
  durationMs: number;
}

/** The times of a span. Senders leave out times, and clocks are set back: a span starts and ends nonetheless, in order. */
export function spanTimes({ startMs, endMs }: OtlpSpan): SpanTimes {
  const end = endMs > 0 ? endMs : startMs;
  const start = startMs > 0 ? startMs : end;
  const startedAt = storableMs(start);
  return {
    startedAt,
    endedAt: Math.max(startedAt, storableMs(end)),
    durationMs: Math.max(0, toMicroseconds(end - start)),
  };
}

const MAX_MS = Date.UTC(9999, 11, 31);

/** An instant in whole milliseconds that a database and a date can hold. */
export const storableMs = (ms: number) => (ms > 0 ? Math.floor(Math.min(ms, MAX_MS)) : 0);

export const toMicroseconds = (ms: number) => Math.round(ms * 1_000) / 1_000;
