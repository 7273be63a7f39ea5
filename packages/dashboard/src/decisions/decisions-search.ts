import {
  DECISION_OUTCOMES,
  DECISION_POINT_TYPES,
  DECISION_SORTS,
  type DecisionOutcome,
  type DecisionPointType,
  type DecisionSort,
} from "@whytrace/contract";
import { omitEmpty, parseOneOf, parsePage, parseText } from "../client/search-params.ts";
import {
  parseInstantParam,
  RELATIVE_RANGE_NAMES,
  RELATIVE_RANGES,
  type RelativeRange,
} from "../traces/filters/traces-search.ts";

export const INFERRED = ["true", "false"] as const;

/** The list's URL search parameters. */
export interface DecisionsSearch {
  search?: string | undefined;
  type?: DecisionPointType | undefined;
  choice?: string | undefined;
  agent?: string | undefined;
  outcome?: DecisionOutcome | undefined;
  inferred?: (typeof INFERRED)[number] | undefined;
  /** A time range that ends now; or its start and end. */
  last?: RelativeRange | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: DecisionSort | undefined;
  page?: number | undefined;
}

export function parseDecisionsSearch(search: Record<string, unknown>): DecisionsSearch {
  const last = parseOneOf(RELATIVE_RANGE_NAMES, search.last);
  return omitEmpty({
    search: parseText(search.search),
    type: parseOneOf(DECISION_POINT_TYPES, search.type),
    choice: parseText(search.choice),
    agent: parseText(search.agent),
    outcome: parseOneOf(DECISION_OUTCOMES, search.outcome),
    inferred: parseOneOf(INFERRED, search.inferred),
    last,
    from: last ? undefined : parseInstantParam(search.from),
    to: last ? undefined : parseInstantParam(search.to),
    sort: parseOneOf(DECISION_SORTS, search.sort),
    page: parsePage(search.page),
  });
}

/** The query parameters of the API request. */
export function toDecisionsRequest({ last, ...rest }: DecisionsSearch, nowMs: number) {
  return last ? { ...rest, from: new Date(nowMs - RELATIVE_RANGES[last].lengthMs).toISOString() } : rest;
}
