/** What a member may do in a workspace. Each role includes those after it. */
export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Whether somebody with the role may do what needs the other one. */
export const includesRole = (role: Role, needed: Role) => ROLES.indexOf(role) <= ROLES.indexOf(needed);

/** How soon an invitation may be sent again. */
export const RESEND_SECONDS = 60;
/** Whose people may join a workspace. */
export const MAX_DOMAINS = 20;
/** Which keys of a member who is removed end. */
export const REMOVED_KEYS = ["reading", "all", "none"] as const;

/** Says that a role is not enough for an act. */
export function roleRefusal(role: Role, needed: Role, act = "This"): string {
  const enough = ROLES.filter((one) => includesRole(one, needed)).toReversed();
  const last = enough.pop();
  return `${act} needs the role ${enough.length > 0 ? `${enough.join(", ")} or ` : ""}${last}. Your role is ${role}.`;
}
