import { type PublicReader, READ_ONLY } from "../api-keys/guards.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import { HttpError } from "../http/http-error.ts";

/** What belongs to an account is not below the prefix. */
export const exceptSample =
  (guard: SessionGuard, isAsked: PublicReader["isAsked"]): SessionGuard =>
  async (request) => {
    if (isAsked(request)) throw new HttpError(403, READ_ONLY);
    return guard(request);
  };
