import type { Status } from "./trace.ts";

export const TRACE_CHANGE_KINDS = ["new", "replaced", "deleted"] as const;
export type TraceChangeKind = (typeof TRACE_CHANGE_KINDS)[number];

/** What happened to one trace, as the live stream tells it. */
export interface TraceChange {
  id: string;
  change: TraceChangeKind;
  /** Of a trace that is still there. */
  status?: Status;
}
