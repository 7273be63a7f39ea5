import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";

/** Foreign keys cascade to sessions, tokens, memberships and invitations that the user made. */
export async function deleteUser(trx: Database, userId: UserId): Promise<void> {
  await sql`delete from users where id = ${userId}`.execute(trx);
}
