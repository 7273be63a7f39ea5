import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { Sender } from "./sample-traces.ts";

/** Every row of every table, as text. Payloads are compressed: the export of the account has them. */
export async function dumpTables(db: Database, user: Sender): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  let dump = (await user.get("/api/account/export")).text;
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} as t`.execute(
      db,
    );
    dump += rows.map(({ line }) => line).join("\n");
  }
  // Facts are bytes, which are shown as hexadecimal digits.
  return (
    dump +
    [...dump.matchAll(/\\x([0-9a-f]+)/g)]
      .map(([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1"))
      .join("\n")
  );
}
