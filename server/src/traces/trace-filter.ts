import { DECISION_POINT_TYPES, type DecisionPointType, type Status } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/contains-pattern.ts";
import { textList } from "../db/text-list.ts";
import { decisionTypeBit } from "../trace-store/trace-facts.ts";
import { type DecisionFilter, decisionConditions } from "./decision-conditions.ts";
import { errorsQuery } from "./errors-query.ts";

export interface TraceFilter extends DecisionFilter {
  status?: Status | undefined;
  search?: string | undefined;
  sessionId?: string | undefined;
  tags: string[];
  /** Only traces with one of these ids. */
  ids?: string[] | undefined;
  dateFrom?: number | undefined;
  dateTo?: number | undefined;
  startedFrom?: number | undefined;
  startedTo?: number | undefined;
  /** A model that a span of the trace called. */
  model?: string | undefined;
  /** The name and message of a failed span or ERROR event in the trace. */
  error?: string | undefined;
  errorMessage?: string | undefined;
  /** Bounds, inclusive. Traces whose value is not known are outside. */
  costFrom?: number | undefined;
  costTo?: number | undefined;
  durationFrom?: number | undefined;
  durationTo?: number | undefined;
  /** Number of failed spans. */
  errorsFrom?: number | undefined;
  /** Pairs that the trace's metadata has (trace-store/metadata-pairs.ts). */
  metadata?: string[] | undefined;
  /** The name of the option that a decision in the trace chose, and the decision's type; or only one of them. */
  choice?: string | undefined;
  choiceType?: DecisionPointType | undefined;
}

/** The conditions on rows of `traces`. */
export function traceConditions(userId: string, filter: TraceFilter): RawBuilder<unknown> {
  const { status, search, sessionId, tags, ids, dateFrom, dateTo, startedFrom, startedTo, model, metadata } =
    filter;
  const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`user_id = ${userId}`,
      ...(ids === undefined ? [] : [sql`id = any(${textList(ids)})`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(search === undefined ? [] : [sql`name ilike ${containsPattern(search)}`]),
      ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
      ...(tags.length === 0 ? [] : [sql`tags && ${tags}::text[]`]),
      ...(model === undefined ? [] : [sql`models && ${[model]}::text[]`]),
      ...(dateFrom === undefined ? [] : [sql`created_at >= ${timestamptz(dateFrom)}`]),
      ...(dateTo === undefined ? [] : [sql`created_at <= ${timestamptz(dateTo)}`]),
      ...(startedFrom === undefined ? [] : [sql`started_at >= ${timestamptz(startedFrom)}`]),
      ...(startedTo === undefined ? [] : [sql`started_at < ${timestamptz(startedTo)}`]),
      ...(metadata === undefined ? [] : [sql`metadata_pairs @> ${metadata}::text[]`]),
      ...numberConditions(filter),
      ...errorConditions(userId, filter),
      ...choiceConditions(userId, filter),
      ...decisionConditions(filter),
    ],
    sql` and `,
  );
}

function errorConditions(userId: string, { error, errorMessage }: TraceFilter): RawBuilder<unknown>[] {
  if (error === undefined) return [];
  const message = errorMessage === undefined ? sql`true` : sql`message = ${errorMessage}`;
  return [
    sql`id in (select trace_id from (${errorsQuery(userId)}) as errors where name = ${error} and ${message})`,
  ];
}

function numberConditions(filter: TraceFilter): RawBuilder<unknown>[] {
  const { costFrom, costTo, durationFrom, durationTo, errorsFrom } = filter;
  return [
    ...(costFrom === undefined ? [] : [sql`total_cost >= ${costFrom}`]),
    ...(costTo === undefined ? [] : [sql`total_cost <= ${costTo}`]),
    ...(durationFrom === undefined ? [] : [sql`total_duration >= ${durationFrom}`]),
    ...(durationTo === undefined ? [] : [sql`total_duration <= ${durationTo}`]),
    ...(errorsFrom === undefined ? [] : [sql`error_count >= ${errorsFrom}::bigint`]),
  ];
}

function choiceConditions(userId: string, { choice, choiceType }: TraceFilter): RawBuilder<unknown>[] {
  const type = choiceType === undefined ? [] : [sql`decision_types & ${decisionTypeBit(choiceType)} <> 0`];
  if (choice === undefined) return type;
  return [
    ...type,
    sql`id in (select trace_id from decision_points where user_id = ${userId} and ${choiceIs(choice, choiceType)})`,
  ];
}

/** A condition on rows of `decision_points`. With all types it says nothing about them, but lets the index find the choice. */
export const choiceIs = (choice: string, type: DecisionPointType | undefined) =>
  sql`choice = ${choice} and type = any(${type ? [type] : DECISION_POINT_TYPES}::text[])`;
