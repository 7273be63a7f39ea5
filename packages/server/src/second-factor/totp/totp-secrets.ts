import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Encryption } from "../../auth/encryption.ts";
import type { SessionUser } from "../../auth/sessions.ts";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { HttpError } from "../../http/http-error.ts";
import { toBase32 } from "./base32.ts";
import { stepsOf } from "./totp-code.ts";

export const TOTP_UNAVAILABLE = "Authenticator apps are not available";
export const TOTP_EXISTS = "An authenticator app is already set up. Remove it first.";

const SECRET_BYTES = 20;

/** Makes a secret for an authenticator app. It counts for nothing until a code has proved that the app has it. */
export async function startTotp(db: Database, encryption: Encryption, user: SessionUser) {
  if (!encryption.isAvailable) throw new HttpError(503, TOTP_UNAVAILABLE);
  const secret = randomBytes(SECRET_BYTES);
  const { rows } = await sql`
    insert into totp_secrets (user_id, secret) values (${user.id}, ${encryption.encrypt(secret, user.id)})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now(), last_step = null
    where totp_secrets.confirmed_at is null
    returning user_id`.execute(db);
  if (rows.length === 0) throw new HttpError(409, TOTP_EXISTS);
  const text = toBase32(secret);
  return { secret: text, uri: uriOf(text, user.email) };
}

/** In the form that authenticator apps read from a QR code. */
const uriOf = (secret: string, email: string) =>
  `otpauth://totp/${encodeURIComponent(`Whytrace:${email}`)}?secret=${secret}&issuer=Whytrace`;

/** Whether a code is right. Each time step is accepted once, and none before it afterwards. */
export function useTotpCode(
  db: Database,
  encryption: Encryption,
  userId: UserId,
  code: string,
): Promise<boolean> {
  return acceptCode(db, encryption, { userId, code, isConfirmed: true });
}

/** Takes the authenticator app into use if the code is right. */
export function confirmTotp(
  trx: Database,
  encryption: Encryption,
  userId: UserId,
  code: string,
): Promise<boolean> {
  return acceptCode(trx, encryption, { userId, code, isConfirmed: false });
}

async function acceptCode(
  db: Database,
  encryption: Encryption,
  { userId, code, isConfirmed }: { userId: UserId; code: string; isConfirmed: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ secret: Buffer; timeMs: number }>`
    select secret, (extract(epoch from now()) * 1000)::float8 as time_ms from totp_secrets
    where user_id = ${userId} and (confirmed_at is not null) = ${isConfirmed}`.execute(db);
  const [row] = rows;
  if (!row) return false;
  const secret = encryption.decrypt(row.secret, userId);
  if (!secret) throw new HttpError(503, TOTP_UNAVAILABLE);
  for (const step of stepsOf(secret, code, row.timeMs)) {
    const { rows: accepted } = await sql`
      update totp_secrets set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
      where user_id = ${userId} and secret = ${row.secret} and (last_step is null or last_step < ${step})
      returning user_id`.execute(db);
    if (accepted.length > 0) return true;
  }
  return false;
}

/** Returns whether there was one in use. */
export async function deleteTotp(trx: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ wasInUse: boolean }>`
    delete from totp_secrets where user_id = ${userId} returning confirmed_at is not null as was_in_use`.execute(
    trx,
  );
  return rows[0]?.wasInUse ?? false;
}
