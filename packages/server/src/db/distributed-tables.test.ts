import { execute } from "@whytrace/testing/postgres/databases.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { expect, it } from "vitest";
import { DISTRIBUTED_TABLES, DROPPED_CONSTRAINTS } from "./distributed-tables.ts";

/** Tables of the coordinator that have a `workspace_id` and no foreign key: they outlive the user, or are found by another key. */
const COORDINATOR_TABLES = ["trace_owners", "workspace_deletions"];

it("distributes each table with a workspace_id that can live without the users table, and no other", async () => {
  const url = await createTestDatabase();
  const { rows } = await execute(
    url,
    `select tables.table_name, constraint_name from information_schema.columns as tables
     left join information_schema.table_constraints as constraints
       on constraints.table_name = tables.table_name and constraint_type = 'FOREIGN KEY'
     where column_name = 'workspace_id' and tables.table_schema = 'public'`,
  );
  const dropped = new Set<string>(DROPPED_CONSTRAINTS.map(({ constraint }) => constraint));
  const independent = rows
    .filter(({ constraint_name: name }) => name === null || dropped.has(name))
    .map(({ table_name: table }) => table)
    .filter((table) => !COORDINATOR_TABLES.includes(table));
  expect(independent.sort()).toEqual([...DISTRIBUTED_TABLES].sort());
});
