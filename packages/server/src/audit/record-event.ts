import { isIP } from "node:net";
import type { AuditAction } from "@whytrace/contract";
import type { AuditActor, AuditTarget } from "@whytrace/contract/schemas/workspaces/audit";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Who acts, and from where. */
export interface Origin {
  actor: AuditActor;
  ip: string | null;
  userAgent: string | null;
  /** Only the actor may see from where. */
  isPrivate?: boolean;
}

/** What somebody did. `details` hold no secret, no token and nothing of a trace. */
export interface Act {
  action: AuditAction;
  target?: AuditTarget | undefined;
  details?: Record<string, unknown>;
}

export const SYSTEM: Origin = {
  actor: { kind: "system", id: null, name: "Whytrace" },
  ip: null,
  userAgent: null,
};
export const OPERATOR: Origin = {
  actor: { kind: "operator", id: null, name: "Operator" },
  ip: null,
  userAgent: null,
};

const MAX_DETAILS_LENGTH = 4_096;

/**
 * Adds an event to the log of a workspace, in the transaction of the act: both commit, or neither does. The lock on the
 * position is held until then, so this comes last. Nothing is added for a workspace that is deleted.
 */
export async function recordEvent(
  trx: Database,
  workspaceId: WorkspaceId,
  { actor, ip, userAgent, isPrivate = false }: Origin,
  { action, target, details = {} }: Act,
): Promise<void> {
  const json = JSON.stringify(details);
  await sql`
    with next as (
      insert into audit_positions as positions (workspace_id, position)
      select id, 1 from workspaces where id = ${workspaceId}
      on conflict (workspace_id) do update set position = positions.position + 1
      returning position
    )
    insert into audit_events (workspace_id, position, action, actor, actor_id, target, ip, user_agent, is_origin_private, details)
    select ${workspaceId}, position, ${action}, ${JSON.stringify(actor)}::json, ${actor.id}::uuid,
      ${target ? JSON.stringify(target) : null}::json, ${ip !== null && isIP(ip) ? ip.replace(/%.*/, "") : null}::inet, ${userAgent?.slice(0, 512) ?? null}, ${isPrivate},
      ${json.length > MAX_DETAILS_LENGTH ? '{"isTooLong":true}' : json}::json
    from next`.execute(trx);
}
