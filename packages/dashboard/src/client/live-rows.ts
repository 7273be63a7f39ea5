import type { AgentSession, DecisionRow, TraceChange, TraceRow } from "@whytrace/contract";

/** How to identify a list's rows, and how to apply a trace change to a row. */
export interface LiveRows<Name extends string, Row> {
  /** The response field with the rows; also the first part of the query key. */
  name: Name;
  keyOf: (row: Row) => string;
  /** Returns the changed row, or the same row if the change does not affect it. */
  applyChange: (row: Row, change: TraceChange) => Row;
}

export const traceRows: LiveRows<"traces", TraceRow> = {
  name: "traces",
  keyOf: (trace) => trace.id,
  applyChange: (trace, { id, status }) => (id === trace.id && status ? { ...trace, status } : trace),
};

export const decisionRows: LiveRows<"decisions", DecisionRow> = {
  name: "decisions",
  keyOf: ({ traceId, id }) => `${traceId} ${id}`,
  applyChange: (decision, { id, status }) =>
    id === decision.traceId && status ? { ...decision, trace: { ...decision.trace, status } } : decision,
};

/** A trace change does not name its agent session, so rows change only when the list is fetched again. */
export const agentSessionRows: LiveRows<"sessions", AgentSession> = {
  name: "sessions",
  keyOf: ({ sessionId }) => sessionId,
  applyChange: (session) => session,
};

const LIVE_LISTS = new Set<unknown>([traceRows.name, decisionRows.name, agentSessionRows.name]);

/** Whether the live stream updates this query while it is connected. */
export const isLiveList = (queryKey: readonly unknown[]) => LIVE_LISTS.has(queryKey[0]);
