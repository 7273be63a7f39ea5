import { includesRole, type Role } from "@whytrace/contract";
import { HttpError } from "../http/http-error.ts";

/** Throws 403 with the text unless the user made the record, or is an admin or owner. */
export function requireMaker(
  { createdBy, user, role }: { createdBy: string | null; user: { id: string }; role: Role },
  text: string,
) {
  if (createdBy !== user.id && !includesRole(role, "admin")) throw new HttpError(403, text);
}

/** What `requireMaker` says, as in "this key can revoke it". */
export const makerOnly = (record: string, act: string) =>
  `Only an admin, an owner or the member who created this ${record} can ${act} it.`;
