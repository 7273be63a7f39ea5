import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { UserId } from "../../../packages/server/src/auth/user-id.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";

/** Inserts a passkey that nobody can use; returns its id. */
export async function insertPasskey(db: Database, userId: UserId): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, rp_id, name)
    values (${userId}, ${randomBytes(16)}, ${randomBytes(16)}, 0, '{}', 'localhost', 'Laptop')
    returning id`.execute(db);
  return rows[0]?.id ?? "";
}

/** Links a made-up account at a provider; returns the id of the link. */
export async function insertIdentity(db: Database, userId: UserId): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into user_identities (issuer, subject, user_id, provider)
    values ('https://corp.example', ${randomUUID()}, ${userId}, 'corp') returning id`.execute(db);
  return rows[0]?.id ?? "";
}
