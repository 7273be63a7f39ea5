import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";

/** Conditions on rows of `traces`: runs of an agent that may have taken a step. */
export function tracesOfRuns(
  workspaceId: WorkspaceId,
  { agent, step }: { agent: string; step: number },
): RawBuilder<unknown> {
  return sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)}
    and position(${bytesOf(step)}::bytea in decision_facts) > 0`;
}

function bytesOf(hash: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}
