import type { AgentSession, DecisionRow, TraceChange, TraceRow } from "@whytrace/contract";

/** How a list's rows are told apart, and what a change of a trace does to them. */
export interface LiveRows<Name extends string, Row> {
  /** The field of a page that holds its rows. */
  name: Name;
  keyOf: (row: Row) => string;
  /** The row after a change; itself when the change is not about it. */
  follow: (row: Row, change: TraceChange) => Row;
}

export const traceRows: LiveRows<"traces", TraceRow> = {
  name: "traces",
  keyOf: (trace) => trace.id,
  follow: (trace, { id, status }) => (id === trace.id && status ? { ...trace, status } : trace),
};

export const decisionRows: LiveRows<"decisions", DecisionRow> = {
  name: "decisions",
  keyOf: ({ traceId, id }) => `${traceId} ${id}`,
  follow: (decision, { id, status }) =>
    id === decision.traceId && status ? { ...decision, trace: { ...decision.trace, status } } : decision,
};

/** Which session a trace belongs to is not told; the next look at the list says it. */
export const agentSessionRows: LiveRows<"sessions", AgentSession> = {
  name: "sessions",
  keyOf: ({ sessionId }) => sessionId,
  follow: (session) => session,
};

const LIVE = new Set<unknown>([traceRows.name, decisionRows.name, agentSessionRows.name]);

/** Whether a query is kept up to date by the stream while there is one. */
export const isLiveList = (queryKey: readonly unknown[]) => LIVE.has(queryKey[0]);
