export const TRACE_SORTS = ["newest", "oldest", "longest", "shortest", "costliest"] as const;
export const DECISION_SORTS = ["newest", "oldest", "costliest"] as const;
export type TraceSort = (typeof TRACE_SORTS)[number];
export type DecisionSort = (typeof DECISION_SORTS)[number];
