import { useQuery } from "@tanstack/react-query";
import { includesRole, type Role, roleRefusal } from "@whytrace/contract";
import { workspaceSlug } from "./base-path.ts";
import { sessionQuery } from "./session.ts";

/** The own role in the workspace of this tab; undefined in the sample, and for visitors with a link, whose session is not asked for. */
function useRole(): Role | undefined {
  const workspaces = useQuery({ ...sessionQuery, enabled: false }).data?.workspaces ?? [];
  return (workspaces.find(({ slug }) => slug === workspaceSlug) ?? workspaces[0])?.role;
}

/** Whether traces and what belongs to them cannot be changed here: in the sample, and for viewers. */
export function useIsReadOnly(): boolean {
  const role = useRole();
  return role === undefined || !includesRole(role, "member");
}

/** Why the own role is not enough for an act, as a sentence; undefined if it is, and in the sample, whose pages say it themselves. */
export function useRoleRefusal(needed: Role, act?: string): string | undefined {
  const role = useRole();
  return role === undefined || includesRole(role, needed) ? undefined : roleRefusal(role, needed, act);
}
