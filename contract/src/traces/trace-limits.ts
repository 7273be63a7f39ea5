/** How many spans, decision points and events a trace may have, of each. */
export const MAX_TRACE_RECORDS = 100_000;

/** How many bytes the payloads of a trace may have, as JSON. */
export const MAX_TRACE_BYTES = 128 * 1024 * 1024;
