import type { Status } from "./enums.ts";

const TRACE_CHANGE_KINDS = ["new", "replaced", "deleted"] as const;
type TraceChangeKind = (typeof TRACE_CHANGE_KINDS)[number];

/** A change of one trace, as the live stream reports it. */
export interface TraceChange {
  id: string;
  change: TraceChangeKind;
  /** Absent if the trace was deleted. */
  status?: Status;
}
