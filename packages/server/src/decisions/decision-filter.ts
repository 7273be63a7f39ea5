import type { DecisionOutcome, DecisionPointType } from "@whytrace/contract";
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { containsPattern } from "../db/statements/contains-pattern.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import { decisionsFollowedBy } from "../traces/decision-conditions.ts";
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
export function decisionConditions(workspaceId: WorkspaceId, filter: DecisionFilter): RawBuilder<unknown> {
  const { type, search, choice, agent, outcome, inferred, from, to } = filter;
  const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql.join(
    [
      sql`workspace_id = ${workspaceId}`,
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
            sql`trace_id in (select id from traces where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)})`,
          ]),
      ...(outcome === undefined
        ? []
        : [sql`(trace_id, position) in (${decisionsFollowedBy(workspaceId, outcome)})`]),
    ],
    sql` and `,
  );
}
