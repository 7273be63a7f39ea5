import type { CreatedBy } from "@whytrace/contract/schemas/workspaces/workspaces";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/**
 * Who made a record, as `createdBy` of the wire: null if a key did, or if the account is deleted. For statements about tables
 * beside `users`, whose column `created_by` has the given name.
 */
export const createdByColumn = (column: string) => sql`(
  select jsonb_build_object('id', users.id, 'name', coalesce(users.name, users.email))
  from users where users.id = ${sql.ref(column)}) as created_by`;

/** The same for rows that were read without `users`. `db` is where users are. */
export async function describeMakers<T extends { createdBy: string | null }>(
  db: Database,
  rows: readonly T[],
): Promise<(Omit<T, "createdBy"> & { createdBy: CreatedBy })[]> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const people = new Map<string, CreatedBy>();
  if (ids.length > 0) {
    const { rows: found } = await sql<{ id: string; name: string }>`
      select id, coalesce(name, email) as name from users where id = any(${ids}::uuid[])`.execute(db);
    for (const person of found) people.set(person.id, person);
  }
  return rows.map(({ createdBy, ...row }) => ({ ...row, createdBy: people.get(createdBy ?? "") ?? null }));
}
