import { DECISION_POINT_TYPES, hash32FromHex, STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { dateParam, enumParam, numberParam, textParam } from "../http/query-params.ts";
import { fieldErrors } from "../http/route-schema.ts";
import {
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_PAIRS,
  MAX_METADATA_VALUE_LENGTH,
  metadataPair,
} from "../trace-store/metadata-pairs.ts";
import { DECISION_OUTCOMES } from "./decision-conditions.ts";

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

const MAX_METADATA_FILTERS = 10;
const METADATA =
  `Invalid metadata parameter. Must be metadata.<key>=<value>, at most ${MAX_METADATA_FILTERS} of them, each once, with keys of ` +
  `at most ${MAX_METADATA_KEY_LENGTH} and values of at most ${MAX_METADATA_VALUE_LENGTH} characters.`;
const METADATA_DESCRIPTION =
  "Only traces whose metadata has this value under this key: metadata.<key>=<value>. Values of the top level are found that are " +
  `texts, numbers, true, false or null, the first ${MAX_METADATA_PAIRS} of a trace, with keys of at most ` +
  `${MAX_METADATA_KEY_LENGTH} and values of at most ${MAX_METADATA_VALUE_LENGTH} characters`;

const metadataParam = z
  .preprocess(
    withoutEmptyValues,
    z.record(z.string(), z.string({ error: METADATA }), { error: METADATA }).optional(),
  )
  .transform((values, context): string[] | undefined => {
    if (values === undefined) return undefined;
    const entries = Object.entries(values);
    const isValid = ([key, value]: [string, string]) =>
      key !== "" && key.length <= MAX_METADATA_KEY_LENGTH && value.length <= MAX_METADATA_VALUE_LENGTH;
    if (entries.length > MAX_METADATA_FILTERS || !entries.every(isValid)) context.addIssue(METADATA);
    return entries.map(([key, value]) => metadataPair(key, value));
  })
  .meta({ type: "object", additionalProperties: { type: "string" }, description: METADATA_DESCRIPTION })
  .register(fieldErrors, { texts: [METADATA] });

/** Empty parameters count as absent. */
function withoutEmptyValues(query: unknown): unknown {
  if (typeof query !== "object" || query === null) return query === "" ? undefined : query;
  const entries = Object.entries(query).filter(([, value]) => value !== "");
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** An id of insights: a hash of 32 bits. */
function hashParam(name: string, description: string, { hasStart = false } = {}) {
  const error = `Invalid ${name} parameter. Must be 8 hexadecimal digits${hasStart ? ", or 0" : ""}.`;
  return textParam(description)
    .transform((text, context): number | undefined => {
      if (text === undefined) return undefined;
      const hash = hash32FromHex(text);
      if (hash === undefined || (hash === 0 && !hasStart)) context.addIssue(error);
      return hash;
    })
    .meta({ type: "string", description })
    .register(fieldErrors, { texts: [error] });
}

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
    "Only traces with a decision of this type; together with choice, of this type and with that option",
  ),
  costFrom: numberParam("costFrom", "Only traces whose totalCost is at least this, in US dollars"),
  costTo: numberParam("costTo", "Only traces whose totalCost is at most this"),
  durationFrom: numberParam(
    "durationFrom",
    "Only traces whose totalDuration is at least this, in milliseconds",
  ),
  durationTo: numberParam("durationTo", "Only traces whose totalDuration is at most this"),
  errorsFrom: numberParam("errorsFrom", "Only traces with at least so many failed spans", {
    isInteger: true,
  }),
  metadata: metadataParam,
  agent: textParam("Only traces with decisions whose name is this one, with changing parts masked as #"),
  release: textParam(
    "Only traces with decisions of this release, which a tag such as release:1.2 or v1.2.0 names",
  ),
  step: hashParam(
    "step",
    "Only traces that have ended, with a decision that chose this: the step of an option in insights",
  ),
  outcome: enumParam(
    "outcome",
    DECISION_OUTCOMES,
    "Together with step: what followed that decision. fine is neither failed nor recovered; open: the trace is running",
  ),
  after: hashParam(
    "after",
    "Together with step: the step before that decision; 0 is the start of the trace",
    {
      hasStart: true,
    },
  ),
  fingerprint: hashParam(
    "fingerprint",
    "Only traces with decisions that have ended, with this error of insights",
  ),
};
