import { MAX_TRACE_RECORDS } from "@whytrace/contract";

/** Of the payloads of a trace, as JSON. */
const MAX_TRACE_BYTES = 128 * 1024 * 1024;

/** What a trace is derived from is read as a whole, so there is less of it than of payloads. */
export const MAX_SPAN_FACTS_BYTES = 32 * 1024 * 1024;

const RECORDS = MAX_TRACE_RECORDS.toLocaleString("en");

/** What is counted of a trace that comes in pieces. */
export interface TraceSize {
  spans: number;
  events: number;
  /** Bytes of payloads. A span that came twice counts twice: both are stored until they are packed together. */
  bytes: number;
  /** Bytes of what the trace is derived from. */
  factsBytes: number;
}

/** Says which limit of a trace is exceeded; undefined if none is. */
export function exceededLimit({ spans, events, bytes, factsBytes }: TraceSize): string | undefined {
  if (spans > MAX_TRACE_RECORDS) return `a trace may have ${RECORDS} spans`;
  if (events > MAX_TRACE_RECORDS) return `a trace may have ${RECORDS} events`;
  if (bytes > MAX_TRACE_BYTES) return "a trace may have 128 MiB of payloads";
  return factsBytes > MAX_SPAN_FACTS_BYTES
    ? "a trace may have 32 MiB of log records, tool calls and decisions"
    : undefined;
}
