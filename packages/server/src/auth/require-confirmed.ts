import type { FastifyRequest } from "fastify";
import { HttpError } from "../http/http-error.ts";
import { sessionOf } from "./require-session.ts";

export const CONFIRM = "Confirm that it is you.";
/** Error texts for the API reference. */
export const CONFIRM_ERRORS = { 403: [CONFIRM] };

/**
 * Throws 403 unless the person has proved in the last ten minutes who it is: a session that somebody else uses must not be
 * enough for acts that hand the account or a workspace over. The header says how to prove it. For routes with the session
 * guard, as a hook after it or in the handler.
 */
export async function requireConfirmed(request: FastifyRequest): Promise<void> {
  const { signIn } = sessionOf(request);
  if (signIn.isConfirmed) return;
  const ways = await signIn.readWaysToConfirm();
  throw new HttpError(403, CONFIRM, { "whytrace-confirm": ways.join(", ") });
}
