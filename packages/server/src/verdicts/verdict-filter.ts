import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";

export interface VerdictFilter {
  traceId?: string | undefined;
  signature?: number | undefined;
  agentHash?: number | undefined;
}

/**
 * Conditions on the table `verdicts`. A verdict whose decision is no longer part of its trace, because the trace was sent
 * again without it, does not count.
 */
export function verdictConditions(workspaceId: WorkspaceId, filter: VerdictFilter): RawBuilder<unknown> {
  const { traceId, signature, agentHash } = filter;
  return sql.join(
    [
      sql`verdicts.workspace_id = ${workspaceId}`,
      ...(traceId === undefined ? [] : [sql`verdicts.trace_id = ${traceId}`]),
      ...(signature === undefined ? [] : [sql`verdicts.signature = ${signature}`]),
      ...(agentHash === undefined ? [] : [sql`verdicts.agent_hash = ${agentHash}`]),
      sql`exists (select from decision_points where decision_points.workspace_id = ${workspaceId}
        and decision_points.trace_id = verdicts.trace_id and decision_points.id = verdicts.decision_point_id)`,
    ],
    sql` and `,
  );
}
