import type { User } from "@whytrace/contract/schemas/accounts";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

export async function renameUser(db: Database, user: User, name: string | null): Promise<User> {
  await sql`update users set name = ${name} where id = ${user.id}`.execute(db);
  return { ...user, name };
}
