import { SCORE_SOURCES, type ScoreSource } from "@whytrace/contract/schemas/scores";
import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";

export interface ScoreFilter {
  traceId?: string | undefined;
  name?: string | undefined;
  source?: ScoreSource | undefined;
  author?: string | undefined;
  agent?: string | undefined;
  /** In milliseconds since 1970; the ends count. */
  dateFrom?: number | undefined;
  dateTo?: number | undefined;
}

/** Conditions on the table `scores`. */
export function scoreConditions(workspaceId: WorkspaceId, filter: ScoreFilter): RawBuilder<unknown> {
  const { traceId, name, source, author, agent, dateFrom, dateTo } = filter;
  return sql.join(
    [
      sql`scores.workspace_id = ${workspaceId}`,
      ...(traceId === undefined ? [] : [sql`scores.trace_id = ${traceId}`]),
      ...(name === undefined ? [] : [sql`scores.name = ${name}`]),
      ...(source === undefined ? [] : [sql`scores.source = ${SCORE_SOURCES.indexOf(source)}`]),
      ...(author === undefined ? [] : [sql`scores.author = ${author}`]),
      ...(agent === undefined ? [] : [isOfAgent(workspaceId, agent)]),
      ...(dateFrom === undefined ? [] : [sql`scores.timestamp >= ${instant(dateFrom)}`]),
      // Responses show milliseconds, and a score may have more.
      ...(dateTo === undefined ? [] : [sql`scores.timestamp < ${instant(dateTo + 1)}`]),
    ],
    sql` and `,
  );
}

const instant = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

/** A score that waits belongs to no agent yet. */
const isOfAgent = (workspaceId: WorkspaceId, agent: string) => sql`scores.trace_id in (
  select id from traces where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)})`;
