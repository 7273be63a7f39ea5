import { DECISION_POINT_TYPES, STATUSES } from "@whytrace/contract";
import { dateParam, enumParam, textParam } from "../http/query-params.ts";
import { fieldErrors } from "../http/route-schema.ts";

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 200;
const TAGS = `Invalid tags parameter. Must be at most ${MAX_TAGS} tags of at most ${MAX_TAG_LENGTH} characters.`;

const tagsParam = textParam("Only traces with at least one of these tags, separated by commas")
  .transform((text = "", context) => {
    const tags = text
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    if (tags.length > MAX_TAGS || tags.some((tag) => tag.length > MAX_TAG_LENGTH)) context.addIssue(TAGS);
    return tags;
  })
  .meta({ type: "string", description: "Only traces with at least one of these tags, separated by commas" })
  .register(fieldErrors, { texts: [TAGS] });

/** The query parameters that say which traces are wanted, in the order in which they are checked. */
export const traceFilterParams = {
  status: enumParam("status", STATUSES, "Only traces with this status"),
  dateFrom: dateParam("dateFrom", "Only traces received (createdAt) at this time or later, an ISO 8601 date"),
  dateTo: dateParam("dateTo", "Only traces received (createdAt) at this time or earlier"),
  search: textParam("Part of the name, case-insensitive"),
  sessionId: textParam("Only traces with this sessionId"),
  tags: tagsParam,
  startedFrom: dateParam("startedFrom", "Only traces that started at this time or later"),
  startedTo: dateParam("startedTo", "Only traces that started before this time"),
  model: textParam("Only traces with a span that called this model"),
  error: textParam("Only traces with a failed span or an ERROR event of this name"),
  errorMessage: textParam("Together with error: the first 200 characters of the failed span's statusMessage"),
  choice: textParam("Only traces with a decision that chose the option of this name"),
  choiceType: enumParam(
    "choiceType",
    DECISION_POINT_TYPES,
    "Together with choice: the type of that decision",
  ),
};
