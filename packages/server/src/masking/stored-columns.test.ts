import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../db/database.ts";
import { EXEMPT_COLUMNS, MASKED_COLUMNS } from "./stored-columns.ts";

it("each column that can hold a text is either masked or exempt for a reason, and each listed column exists", async () => {
  const db = createDatabase(createPool(await createTestDatabase(), { max: 1 }));
  const { rows } = await sql<{ name: string }>`
    select columns.table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'xml', 'ARRAY', 'bytea', 'USER-DEFINED')`.execute(
    db,
  );
  await db.destroy();
  const listed = [MASKED_COLUMNS, ...Object.values(EXEMPT_COLUMNS)]
    .flatMap((columns) => Object.entries(columns))
    .flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`));
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
