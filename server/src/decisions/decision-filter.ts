import { agentHash, type DecisionPointType } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { containsPattern } from "../db/contains-pattern.ts";
import { type DecisionOutcome, decisionsFollowedBy } from "../traces/decision-conditions.ts";
import { choiceIs } from "../traces/trace-filter.ts";

export interface DecisionFilter {
  type?: DecisionPointType | undefined;
  search?: string | undefined;
  /** The name of the option that was chosen. */
  choice?: string | undefined;
  /** The name of the agent, masked or not. */
  agent?: string | undefined;
  /** What followed the decision. */
  outcome?: DecisionOutcome | undefined;
  inferred?: "true" | "false" | undefined;
  /** When the decision was made, in milliseconds since 1970: from this time on, and before that time. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The conditions on rows of `decision_points`. */
export function decisionConditions(userId: string, filter: DecisionFilter): RawBuilder<unknown> {
  const { type, search, choice, agent, outcome, inferred, from, to } = filter;
  const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`user_id = ${userId}`,
      ...(type === undefined ? [] : [sql`type = ${type}`]),
      ...(search === undefined ? [] : [sql`search_text like ${containsPattern(search.toLowerCase())}`]),
      ...(choice === undefined ? [] : [choiceIs(choice, type)]),
      ...(inferred === undefined
        ? []
        : [inferred === "true" ? sql`is_inferred` : sql`is_inferred is not true`]),
      ...(from === undefined ? [] : [sql`timestamp >= ${timestamptz(from)}`]),
      ...(to === undefined ? [] : [sql`timestamp < ${timestamptz(to)}`]),
      ...(agent === undefined
        ? []
        : [
            sql`trace_id in (select id from traces where user_id = ${userId} and agent_hash = ${agentHash(agent)})`,
          ]),
      ...(outcome === undefined
        ? []
        : [sql`(trace_id, position) in (${decisionsFollowedBy(userId, outcome)})`]),
    ],
    sql` and `,
  );
}
