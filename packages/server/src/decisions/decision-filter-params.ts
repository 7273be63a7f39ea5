import { DECISION_OUTCOMES, DECISION_POINT_TYPES } from "@whytrace/contract";
import { dateParam, enumParam, textParam } from "../http/request/query-params.ts";

/** The query parameters that say which decisions are wanted, in the order in which they are checked. */
export const decisionFilterParams = {
  type: enumParam("type", DECISION_POINT_TYPES, "Only decision points of this type"),
  search: textParam(
    "Part of the reasoning, of the chosen option's JSON or of the trace's name, case-insensitive",
  ),
  choice: textParam("Only decisions that chose the option of this name"),
  agent: textParam("Only decisions of traces whose name is this one, with changing parts masked as #"),
  outcome: enumParam(
    "outcome",
    DECISION_OUTCOMES,
    "What followed the decision, as insights count it. fine is neither failed nor recovered; open: the trace is running",
  ),
  inferred: enumParam(
    "inferred",
    ["true", "false"],
    "true: only decisions that the server read from what an instrumentation sent; false: only those that were sent",
  ),
  from: dateParam("from", "Only decisions made at this time or later, an ISO 8601 date"),
  to: dateParam("to", "Only decisions made before this time"),
};
