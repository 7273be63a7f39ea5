import type { DecisionPointType, Status } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/contains-pattern.ts";
import { type DecisionFilter, decisionConditions } from "./decision-conditions.ts";
import { errorsQuery } from "./errors-query.ts";

export interface TraceFilter extends DecisionFilter {
  status?: Status | undefined;
  search?: string | undefined;
  sessionId?: string | undefined;
  tags: string[];
  dateFrom?: number | undefined;
  dateTo?: number | undefined;
  startedFrom?: number | undefined;
  startedTo?: number | undefined;
  /** A model that a span of the trace called. */
  model?: string | undefined;
  /** The name and message of a failed span or ERROR event in the trace. */
  error?: string | undefined;
  errorMessage?: string | undefined;
  /** The name of the option that a decision in the trace chose, and the decision's type. */
  choice?: string | undefined;
  choiceType?: DecisionPointType | undefined;
}

/** The conditions on rows of `traces`. */
export function traceConditions(userId: string, filter: TraceFilter): RawBuilder<unknown> {
  const { status, search, sessionId, tags, dateFrom, dateTo, startedFrom, startedTo, model } = filter;
  const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`user_id = ${userId}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(search === undefined ? [] : [sql`name ilike ${containsPattern(search)}`]),
      ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
      ...(tags.length === 0 ? [] : [sql`tags && ${tags}::text[]`]),
      ...(model === undefined ? [] : [sql`models && ${[model]}::text[]`]),
      ...(dateFrom === undefined ? [] : [sql`created_at >= ${timestamptz(dateFrom)}`]),
      ...(dateTo === undefined ? [] : [sql`created_at <= ${timestamptz(dateTo)}`]),
      ...(startedFrom === undefined ? [] : [sql`started_at >= ${timestamptz(startedFrom)}`]),
      ...(startedTo === undefined ? [] : [sql`started_at < ${timestamptz(startedTo)}`]),
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

function choiceConditions(userId: string, { choice, choiceType }: TraceFilter): RawBuilder<unknown>[] {
  if (choice === undefined) return [];
  const type = choiceType === undefined ? sql`true` : sql`type = ${choiceType}`;
  return [
    sql`id in (select trace_id from decision_points where user_id = ${userId} and choice = ${choice} and ${type})`,
  ];
}
