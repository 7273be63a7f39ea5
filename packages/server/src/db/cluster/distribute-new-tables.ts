import { sql } from "kysely";
import type { Database } from "../database.ts";
import { hasCitus, readDistribution } from "./read-distribution.ts";

/**
 * Runs migrations in a transaction. If the tables of workspaces are distributed, those that the migrations create are, too,
 * before the transaction ends: no server ever sees them otherwise.
 */
export async function distributingNewTables(trx: Database, migrate: () => Promise<void>): Promise<void> {
  const before = (await hasCitus(trx)) ? await readDistribution(trx) : [];
  const [first] = before;
  if (first == null || first.column === null) return migrate();
  // Without this, a transaction that has changed one table on several connections could not distribute another.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
  // What is set in the transaction counts on the workers, too.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(trx);
  await migrate();
  const absent = new Set(before.filter(({ doesExist }) => !doesExist).map(({ name }) => name));
  for (const { name, doesExist } of await readDistribution(trx))
    if (doesExist && absent.has(name))
      await sql`select create_distributed_table(${name}::regclass, 'workspace_id', colocate_with => ${first.name})`.execute(
        trx,
      );
}
