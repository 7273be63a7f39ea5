import { decisionPoint, event, span } from "@whytrace/contract/schemas/traces";

/** The records of a trace that have routes of their own, which return the payloads that an outline omits. */
export const CHILD_RECORDS = [
  {
    path: "spans",
    kind: "spans",
    parameter: "spanId",
    schema: span,
    summary: "Get one span with its payloads",
    notFound: "Span not found",
  },
  {
    path: "decision-points",
    kind: "decisionPoints",
    parameter: "decisionPointId",
    schema: decisionPoint,
    summary: "Get one decision point with its context snapshot",
    notFound: "Decision point not found",
  },
  {
    path: "events",
    kind: "events",
    parameter: "eventId",
    schema: event,
    summary: "Get one event with its metadata",
    notFound: "Event not found",
  },
] as const;
