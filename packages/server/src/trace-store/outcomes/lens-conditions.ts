import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { FACTS_VERSION } from "../../decision-facts/decision-facts.ts";
import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { MARKS_SCORED_AT } from "../../outcomes/marks.ts";

/* Conditions on rows of `traces` by which findings call a run bad. */

/** A run that is still open and sent nothing for so long is abandoned. */
const ABANDONED_MINUTES = 60;
/** When something of a larger trace came last is not looked up. It is never called abandoned. */
const MAX_SPANS_READ = 5_000;

const isBadBy = (flag: number) => sql`outcome = 1 and outcome_flags & ${sql.lit(flag)} <> 0`;

/** A score made the run bad. */
export const IS_SCORED_BAD = isBadBy(OUTCOME_FLAGS.badByScores);
/** The position of a decision of the turn that the first bad score is about; null if no single one is. */
export const SCORED_AT: RawBuilder<unknown> = sql`
  case when get_byte(marks, 1) & ${sql.lit(MARKS_SCORED_AT)} <> 0
  then get_byte(marks, octet_length(marks) - 2) * 256 + get_byte(marks, octet_length(marks) - 1) end`;
/** The run is bad by what is known of every run. */
export const IS_BAD_BY_OBSERVED = isBadBy(OUTCOME_FLAGS.badByObserved);

/**
 * Whether the run goes on, as far as is known. When a trace was written last is not stored, so the parts that came by OpenTelemetry say it,
 * and the time at which a program began the newest span.
 */
export const isOpen = (workspaceId: WorkspaceId): RawBuilder<unknown> => sql`
  case when status <> 'RUNNING' then false when span_count > ${sql.lit(MAX_SPANS_READ)} then true
  else now() - make_interval(mins => ${sql.lit(ABANDONED_MINUTES)}) < greatest(
    created_at,
    (select max(part.created_at) from otlp_parts as part
      where part.workspace_id = ${workspaceId} and part.trace_id = traces.id),
    (select max(span.started_at) from spans as span
      where span.workspace_id = ${workspaceId} and span.trace_id = traces.id and span.started_at <= now()))
  end`;

/**
 * An error came after a decision: the facts have a kind of it. Only the first bytes are read, which is fast also if the facts are long.
 * Facts of another version count for nothing until they are computed again.
 */
const HAS_ERROR = sql`
  substring(decision_facts from 1 for 1) = ${Buffer.of(FACTS_VERSION)}::bytea
  and substring(decision_facts from 3 for 1) > ${Buffer.of(0)}::bytea`;

/** Bad runs of a lens of findings. An abandoned run failed. */
export function isBadInLens(
  lens: "failed" | "error" | "scored",
  _filter: unknown,
  workspaceId: WorkspaceId,
): RawBuilder<unknown> {
  if (lens === "scored") return IS_SCORED_BAD;
  if (lens === "error") return sql`(${HAS_ERROR} and not ${isOpen(workspaceId)})`;
  return sql`(${IS_BAD_BY_OBSERVED} or (status = 'RUNNING' and not ${isOpen(workspaceId)}))`;
}
