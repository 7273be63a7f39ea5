import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { readFactors, secondFactorsOf } from "../auth/factors.ts";
import { lockConfirmed } from "../auth/require-confirmed.ts";
import { requireVerified } from "../auth/require-verified.ts";
import { addMethod, type CurrentSession, endOtherConfirmations } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import { deleteRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";

type Factor = "passkey" | "totp";

export const NO_FACTOR = "Add a passkey or an authenticator app first.";

/**
 * Adds a second factor with `add` and counts it for the session, which has just proved it. Returns what `add` returned, and
 * recovery codes if this is the person's first factor: then what other sessions have confirmed without one counts no more.
 */
export function addFactor<T>(
  db: Database,
  session: CurrentSession,
  { method, origin }: { method: Factor; origin: Origin },
  add: (trx: Database) => Promise<T>,
): Promise<{ added: T; recoveryCodes: string[] }> {
  return transaction(db, async (trx) => {
    const { id: sessionId, user } = session;
    await lockFactors(trx, user.id);
    await lockConfirmed(trx, session);
    requireVerified(user);
    const isFirst = secondFactorsOf(await readFactors(trx, user.id)).length === 0;
    const added = await add(trx);
    await addMethod(trx, sessionId, method);
    if (isFirst) await endOtherConfirmations(trx, user.id, sessionId);
    const recoveryCodes = isFirst ? await replaceRecoveryCodes(trx, user.id) : [];
    await recordSignIn(trx, origin, { action: "second-factor.added", details: { method } });
    return { added, recoveryCodes };
  });
}

/**
 * Removes a second factor with `remove`, which returns whether there was one. Recovery codes go with the last factor: alone they
 * are none.
 */
export function removeFactor(
  db: Database,
  userId: UserId,
  { method, origin }: { method: Factor; origin: Origin },
  remove: (trx: Database) => Promise<boolean>,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await lockFactors(trx, userId);
    const wasInUse = await remove(trx);
    if (secondFactorsOf(await readFactors(trx, userId)).length === 0) await deleteRecoveryCodes(trx, userId);
    if (wasInUse) await recordSignIn(trx, origin, { action: "second-factor.removed", details: { method } });
    return wasInUse;
  });
}

/** Ten new recovery codes; the old ones end. */
export function renewRecoveryCodes(db: Database, userId: UserId, origin: Origin): Promise<string[]> {
  return transaction(db, async (trx) => {
    await lockFactors(trx, userId);
    if (secondFactorsOf(await readFactors(trx, userId)).length === 0) throw new HttpError(409, NO_FACTOR);
    const codes = await replaceRecoveryCodes(trx, userId);
    await recordSignIn(trx, origin, { action: "recovery-codes.created" });
    return codes;
  });
}

/** Changes of one person's factors follow one another: two first factors at once would both make codes. */
async function lockFactors(trx: Database, userId: UserId): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx);
}
