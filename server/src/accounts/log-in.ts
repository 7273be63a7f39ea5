import { emailAddress } from "@whytrace/contract/schemas/credentials";
import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import { createSession, type SessionUser } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";

export interface Credentials {
  email: string;
  password: string;
  userAgent: string | undefined;
}

/** Verifies the password and creates a session. An unknown address fails with the same error after the same time. */
export async function logIn(db: Database, passwords: Passwords, { email, password, userAgent }: Credentials) {
  const { rows } = await sql<SessionUser & { passwordHash: string }>`
    select id, email, name, created_at, email_verified_at is not null as is_email_verified, password_hash
    from users where email = ${emailAddress.safeParse(email).data ?? null}`.execute(db);
  const [row] = rows;
  const isCorrect = await passwords.verify(row?.passwordHash, password);
  const token =
    row && isCorrect
      ? await createSession(db, { userId: row.id, passwordHash: row.passwordHash, userAgent })
      : undefined;
  if (!row || !token) throw new HttpError(401, "Invalid email or password");
  const { passwordHash: _, ...user } = row;
  return { user, token };
}
