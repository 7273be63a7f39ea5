import { ROLES, type Role } from "@whytrace/contract";
import { HttpError } from "../http/http-error.ts";

export const INVALID_ROLE = `Invalid role. Must be one of: ${ROLES.join(", ")}`;
export const ONLY_OWNER_MAKES = "Only an owner can make somebody an owner.";

export function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (!role) throw new HttpError(400, INVALID_ROLE);
  return role;
}
