import type { ApiKeyScope, Role } from "@whytrace/contract";
import { sql } from "kysely";

/** Of a key, in statements about `api_keys`: the role of its maker in its workspace. Null if nobody made it, or if they left. */
export const MAKER_ROLE = sql.raw(`(
  select role from memberships
  where memberships.user_id = api_keys.created_by and memberships.workspace_id = api_keys.workspace_id)`);

/**
 * What a key may do: what both its scope and the role of its maker allow, at this moment. Undefined: nothing. Keys that are left
 * when their maker leaves belong to the workspace, and keep their scope.
 */
export function rightsOf(scope: ApiKeyScope, makerRole: Role | null): ApiKeyScope | undefined {
  if (makerRole !== "viewer") return scope;
  return scope === "send" ? undefined : "read";
}
