import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import { sessionOf } from "./require-session.ts";
import { type CurrentSession, lockSession } from "./sessions.ts";

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
  if (!signIn.isConfirmed) await refuse(signIn);
}

/**
 * The same in the transaction of an act that adds a way to sign in, behind a lock on the session: it may have ended since the
 * guard read it, or lost its confirmation because another session has added a factor.
 */
export async function lockConfirmed(trx: Database, { id, signIn }: CurrentSession): Promise<void> {
  if (!(await lockSession(trx, id))) throw new HttpError(401, "Unauthorized");
  const { rows } = await sql`
    select from sessions where id = ${id} and confirmed_at is not null`.execute(trx);
  if (rows.length === 0) await refuse(signIn);
}

async function refuse({ readWaysToConfirm }: CurrentSession["signIn"]): Promise<never> {
  const ways = await readWaysToConfirm();
  throw new HttpError(403, CONFIRM, { "whytrace-confirm": ways.join(", ") });
}
