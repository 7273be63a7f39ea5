import {
  DECISION_POINT_TYPES,
  type DecisionPointType,
  type TRACE_FILTERS,
  type TraceFilterName,
} from "@whytrace/contract";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/statements/contains-pattern.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { isBadInLens } from "../trace-store/outcomes/lens-conditions.ts";
import { decisionTypeBit } from "../trace-store/rows/computed-columns.ts";
import { hasDecision, hasFingerprint, isOfAgent, isOfRelease } from "./decision-conditions.ts";
import { errorsQuery } from "./errors-query.ts";
import { hasScore, isUnasked, requireScoreName } from "./score-conditions.ts";
import type { TraceFilterValues } from "./trace-filter-params.ts";

export interface TraceFilter extends TraceFilterValues {
  /** Only traces with one of these ids. */
  ids?: string[] | undefined;
}

/** The filters that only say more about another one. */
type TraceFilterDetail = {
  [Name in TraceFilterName]: (typeof TRACE_FILTERS)[Name] extends { of: string } ? Name : never;
}[TraceFilterName];

type FilterName = Exclude<keyof TraceFilter, TraceFilterDetail>;

/** Writes the condition of a filter on rows of `traces`. The other filters may say more about it. */
type WriteCondition<Name extends FilterName> = (
  value: NonNullable<TraceFilter[Name]>,
  filter: TraceFilter,
  workspaceId: WorkspaceId,
) => RawBuilder<unknown> | undefined;

const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

/** The SQL of every filter. Bounds are inclusive, and traces whose value is not known are outside. */
const CONDITIONS: { readonly [Name in FilterName]: WriteCondition<Name> } = {
  ids: (ids) => sql`id = any(${textList(ids)})`,
  status: (status) => sql`status = ${status}`,
  search: (search) => sql`name ilike ${containsPattern(search)}`,
  sessionId: (sessionId) => sql`session_id = ${sessionId}`,
  tags: (tags) => (tags.length === 0 ? undefined : sql`tags && ${tags}::text[]`),
  model: (model) => sql`models && ${[model]}::text[]`,
  dateFrom: (ms) => sql`created_at >= ${timestamptz(ms)}`,
  dateTo: (ms) => sql`created_at <= ${timestamptz(ms)}`,
  startedFrom: (ms) => sql`started_at >= ${timestamptz(ms)}`,
  startedTo: (ms) => sql`started_at < ${timestamptz(ms)}`,
  metadata: (pairs) => sql`metadata_pairs @> ${pairs}::text[]`,
  costFrom: (usd) => sql`total_cost >= ${usd}`,
  costTo: (usd) => sql`total_cost <= ${usd}`,
  durationFrom: (ms) => sql`total_duration >= ${ms}`,
  durationTo: (ms) => sql`total_duration <= ${ms}`,
  errorsFrom: (count) => sql`error_count >= ${count}::bigint`,
  error: (error, { errorMessage }, workspaceId) => {
    const message = errorMessage === undefined ? sql`true` : sql`message = ${errorMessage}`;
    return sql`id in (select trace_id from (${errorsQuery(workspaceId)}) as errors where name = ${error} and ${message})`;
  },
  errorMessage: (message, { error }, workspaceId) =>
    error === undefined
      ? sql`id in (select trace_id from (${errorsQuery(workspaceId)}) as errors where message = ${message})`
      : undefined,
  choiceType: (type) => sql`decision_types & ${decisionTypeBit(type)} <> 0`,
  choice: (choice, { choiceType }, workspaceId) =>
    sql`id in (select trace_id from decision_points where workspace_id = ${workspaceId} and ${choiceIs(choice, choiceType)})`,
  decided: (decided) =>
    decided === "any" ? undefined : decided === "yes" ? sql`decision_types <> 0` : sql`decision_types = 0`,
  agent: isOfAgent,
  release: isOfRelease,
  step: hasDecision,
  fingerprint: hasFingerprint,
  outcome: (outcome) => sql`outcome = ${RUN_OUTCOMES.indexOf(outcome)}`,
  ended: (ended) => (ended === "known" ? sql`outcome in (0, 1)` : sql`outcome <> 3`),
  lens: isBadInLens,
  unasked: isUnasked,
  scoreName: hasScore,
  issue: (number, _filter, workspaceId) => {
    // The number of an issue that was merged stands for the issue that it was merged into.
    const target = sql`coalesce((select merged_into from issues where workspace_id = ${workspaceId} and number = ${number}::bigint), ${number}::bigint)`;
    const problems = sql`select problem from issue_problems where workspace_id = ${workspaceId} and number = ${target}`;
    return sql`id in (select trace_id from problem_runs where workspace_id = ${workspaceId} and problem in (${problems}))`;
  },
};

const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

/** The conditions of a filter on rows of `traces`. */
export function filterConditions(workspaceId: WorkspaceId, filter: TraceFilter): RawBuilder<unknown>[] {
  requireScoreName(filter);
  return FILTER_NAMES.flatMap((name) => conditionOf(name, filter, workspaceId) ?? []);
}

function conditionOf<Name extends FilterName>(name: Name, filter: TraceFilter, workspaceId: WorkspaceId) {
  const value = filter[name];
  const write: WriteCondition<Name> = CONDITIONS[name];
  return value === undefined || value === null ? undefined : write(value, filter, workspaceId);
}

/** All conditions on rows of `traces`. */
export const traceConditions = (workspaceId: WorkspaceId, filter: TraceFilter): RawBuilder<unknown> =>
  sql.join([sql`workspace_id = ${workspaceId}`, ...filterConditions(workspaceId, filter)], sql` and `);

/** A condition on rows of `decision_points`. With all types it says nothing about them, but lets the index find the choice. */
export const choiceIs = (choice: string, type: DecisionPointType | undefined) =>
  sql`choice = ${choice} and type = any(${type ? [type] : DECISION_POINT_TYPES}::text[])`;
