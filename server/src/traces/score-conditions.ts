import type { TraceFilterValues } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

const DETAILS = ["scoreIs", "scoreBelow", "scoreAbove", "scoreMissing"] as const;

export const SCORE_NAME_REQUIRED = "Invalid <param>. Must be given together with scoreName.";

type ScoreDetails = Pick<TraceFilterValues, "scoreName" | (typeof DETAILS)[number]>;

/** Throws 400 for a filter that says more about scores of no name. */
export function requireScoreName(filter: ScoreDetails) {
  if (filter.scoreName !== undefined) return;
  const alone = DETAILS.find((name) => filter[name] !== undefined);
  if (alone) throw new HttpError(400, SCORE_NAME_REQUIRED.replace("<param>", alone));
}

/** A trace with a score of this name that meets all that else is asked, or without one. */
export function hasScore(
  name: string,
  { scoreIs, scoreBelow, scoreAbove, scoreMissing }: ScoreDetails,
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
