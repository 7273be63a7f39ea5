/** How many spans, decision points and events a trace may have, of each. */
export const MAX_TRACE_RECORDS = 100_000;
