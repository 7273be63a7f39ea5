import { SCORE_SOURCES } from "@whytrace/contract/schemas/scores";
import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { OUTCOME_FLAGS, SOURCE_FLAGS } from "../outcomes/judge-run.ts";
import { isAskedFor } from "../trace-store/outcomes/is-asked-for.ts";
import type { TraceFilterValues } from "./trace-filter-params.ts";

const DETAILS = ["scoreIs", "scoreBelow", "scoreAbove", "scoreMissing", "scoreAsked"] as const;

export const SCORE_NAME_REQUIRED = "Invalid <param>. Must be given together with scoreName.";

type ScoreDetails = Pick<TraceFilterValues, "scoreName" | (typeof DETAILS)[number]>;

/** Throws 400 for a filter that says more about scores of no name. */
export function requireScoreName(filter: ScoreDetails) {
  if (filter.scoreName !== undefined) return;
  const alone = DETAILS.find((name) => filter[name] !== undefined);
  if (alone) throw new HttpError(400, SCORE_NAME_REQUIRED.replace("<param>", alone));
}

/** A trace with a score of this name that meets all that else is asked, or without one, or whose user was asked for it. */
export function hasScore(
  name: string,
  { scoreAsked, ...details }: ScoreDetails,
  workspaceId: WorkspaceId,
): RawBuilder<unknown> {
  if (scoreAsked === undefined) return hasStoredScore(name, details, workspaceId);
  const asked = scoreAsked === "yes" ? isAskedFor(name) : sql`not ${isAskedFor(name)}`;
  const isStored = DETAILS.some((detail) => detail !== "scoreAsked" && details[detail] !== undefined);
  return isStored ? sql`(${asked} and ${hasStoredScore(name, details, workspaceId)})` : asked;
}

function hasStoredScore(
  name: string,
  { scoreIs, scoreBelow, scoreAbove, scoreMissing }: Omit<ScoreDetails, "scoreAsked">,
  workspaceId: WorkspaceId,
): RawBuilder<unknown> {
  const conditions = [
    sql`workspace_id = ${workspaceId} and name = ${name} and not is_waiting`,
    ...(scoreIs === undefined ? [] : [isValue(scoreIs)]),
    ...(scoreBelow === undefined ? [] : [sql`kind = 0 and number < ${scoreBelow}`]),
    ...(scoreAbove === undefined ? [] : [sql`kind = 0 and number > ${scoreAbove}`]),
  ];
  const isIn = scoreMissing === "true" ? sql`not in` : sql`in`;
  return sql`id ${isIn} (select trace_id from scores where ${sql.join(conditions, sql` and `)})`;
}

/** The text of a value or label. */
function isValue(text: string): RawBuilder<unknown> {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const values = [
    sql`label = ${text}`,
    ...(text === "true" || text === "false" ? [sql`(kind = 1 and number = ${Number(text === "true")})`] : []),
    ...(Number.isFinite(number) ? [sql`(kind = 0 and number = ${number})`] : []),
  ];
  return sql`(${sql.join(values, sql` or `)})`;
}

const ANY_SOURCE = SCORE_SOURCES.reduce((all, source) => all | SOURCE_FLAGS[source].answered, 0);

/**
 * A run that findings leave out: it has ended, nobody asked its user, and none of these sources judged it. Runs that were judged before
 * sources were recorded count as judged by users.
 */
export function isUnasked(sources: readonly string[]): RawBuilder<unknown> | undefined {
  if (sources.length === 0) return undefined;
  const named = SCORE_SOURCES.filter((source) => sources.includes(source));
  const flags = named.reduce<number>(
    (all, source) => all | SOURCE_FLAGS[source].answered,
    OUTCOME_FLAGS.asked,
  );
  const isOld = sql`(outcome_flags & ${sql.lit(OUTCOME_FLAGS.answered)} <> 0 and outcome_flags & ${sql.lit(ANY_SOURCE)} = 0)`;
  const isNew = named.includes("user") ? sql`not ${isOld}` : sql`true`;
  return sql`status <> 'RUNNING' and outcome_flags & ${sql.lit(flags)} = 0 and ${isNew}`;
}
