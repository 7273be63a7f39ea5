import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { hashToken, randomToken } from "./random-token.ts";
import type { UserId } from "./user-id.ts";

export const DEVICE_SECONDS = 180 * 24 * 3_600;
const MAX_DEVICES = 10;

/**
 * A device is a browser in which a user has signed in, recognised by a cookie. Sign-ins from it have a rate limit of
 * their own, so that strangers who guess the password cannot lock the owner out. It grants nothing else.
 */
interface Device {
  /** Identifies the device in rate limits. */
  id: string;
}

/** The device with this token if it belongs to the user with this address. */
export async function findDevice(
  db: Database,
  token: string | undefined,
  email: string,
): Promise<Device | undefined> {
  if (!token) return undefined;
  const tokenHash = hashToken(token);
  const { rows } = await sql`
    select from devices join users on users.id = devices.user_id
    where token_hash = ${tokenHash} and email = ${email}
      and last_used_at > now() - ${DEVICE_SECONDS} * interval '1 second'`.execute(db);
  return rows.length > 0 ? { id: tokenHash.toString("hex") } : undefined;
}

/** Records a sign-in and returns the token of the device: the given one, or a new one if it is not the user's. */
export async function rememberDevice(
  db: Database,
  userId: UserId,
  presented: string | undefined,
): Promise<string> {
  if (presented) {
    const { rows } = await sql`
      update devices set last_used_at = now()
      where token_hash = ${hashToken(presented)} and user_id = ${userId} returning user_id`.execute(db);
    if (rows.length > 0) return presented;
  }
  const token = randomToken();
  await sql`insert into devices (token_hash, user_id) values (${hashToken(token)}, ${userId})`.execute(db);
  await sql`
    delete from devices where user_id = ${userId} and token_hash in (
      select token_hash from devices where user_id = ${userId}
      order by last_used_at desc offset ${MAX_DEVICES})`.execute(db);
  return token;
}

/** Forgets the user's devices, except the one with the given token. */
export async function forgetDevices(trx: Database, userId: UserId, exceptToken?: string): Promise<void> {
  const kept = exceptToken ? hashToken(exceptToken) : null;
  await sql`
    delete from devices where user_id = ${userId} and token_hash is distinct from ${kept}::bytea`.execute(
    trx,
  );
}

export async function sweepDevices(db: Database): Promise<void> {
  await sql`
    delete from devices where last_used_at <= now() - ${DEVICE_SECONDS} * interval '1 second'`.execute(db);
}
