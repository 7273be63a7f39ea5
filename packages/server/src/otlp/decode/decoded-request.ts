import type { OtlpLogRecord, OtlpSpan } from "./otlp-span.ts";

export interface DecodedTraces {
  spans: OtlpSpan[];
  /** How many spans have an invalid trace or span id. */
  rejected: number;
}

export interface DecodedLogs {
  records: OtlpLogRecord[];
  /** How many records name no trace. */
  rejected: number;
}
