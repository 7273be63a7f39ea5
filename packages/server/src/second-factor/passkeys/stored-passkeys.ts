import type { Passkey } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";

export async function listPasskeys(db: Database, userId: UserId): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select id, name, created_at, last_used_at from passkeys where user_id = ${userId}
    order by created_at, id`.execute(db);
  return rows;
}

/** Returns false if the person has no such passkey. */
export async function renamePasskey(
  db: Database,
  userId: UserId,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set name = ${name} where user_id = ${userId} and id::text = ${id} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns false if the person has no such passkey. */
export async function deletePasskey(trx: Database, userId: UserId, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from passkeys where user_id = ${userId} and id::text = ${id} returning id`.execute(trx);
  return rows.length > 0;
}

/** Returns how many there were. */
export async function deletePasskeys(trx: Database, userId: UserId): Promise<number> {
  const { rows } = await sql`delete from passkeys where user_id = ${userId} returning id`.execute(trx);
  return rows.length;
}

/** How many passkeys work on another host only, because the public URL has changed. */
export async function countForeignPasskeys(db: Database, rpId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from passkeys where rp_id <> ${rpId}`.execute(db);
  return rows[0]?.count ?? 0;
}
