import { execute } from "@whytrace/testing/postgres/databases.ts";
import { PACKED_FIELDS, PACKED_KINDS } from "../../packages/server/src/payloads/packed-fields.ts";

/**
 * Adds columns for payloads to the tables of spans and events, so that PostgreSQL alone can be measured with unpacked rows.
 * The server does not use these columns.
 */
export async function addPayloadColumns(databaseUrl: string): Promise<void> {
  const { rows } = await execute(
    databaseUrl,
    "select 'lz4' = any (enumvals) as has_lz4 from pg_settings where name = 'default_toast_compression'",
  );
  const type = rows[0].has_lz4 ? "json compression lz4" : "json";
  for (const kind of PACKED_KINDS) {
    const added = PACKED_FIELDS[kind].map((field) => `add column if not exists ${field} ${type}`);
    await execute(databaseUrl, `alter table ${kind} ${added.join(", ")}`);
  }
}
