import { HttpError } from "../http/http-error.ts";
import type { SessionUser } from "./sessions.ts";

export const UNVERIFIED = "Verify your email address first.";

/**
 * Throws 403 while the address is not proved. Whoever registered it may be a stranger, and gets no further way to sign in to the
 * account, to let others in or to write to them.
 */
export function requireVerified({ isEmailVerified }: Pick<SessionUser, "isEmailVerified">): void {
  if (!isEmailVerified) throw new HttpError(403, UNVERIFIED);
}
