import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCitusDatabase } from "@whytrace/testing/citus-database.ts";
import { runTrial, select } from "@whytrace/testing/trial.ts";
import { ClusterOperator } from "../server/src/cluster-operator.ts";
import { DISTRIBUTED_TABLES } from "../server/src/db/distributed-tables.ts";
import { migrate } from "../server/src/db/migrate.ts";

/*
 * A database that was distributed by an older version gets the migrations of this one: the tables that they add are
 * distributed in the same transaction.
 */

const MIGRATIONS = new URL("../server/src/db/migrations/", import.meta.url);
/** Adds columns, tables and indexes. What a distributed table cannot change is left out (see architecture.test.ts). */
const isNewer = (file: string) => file >= "0027" && file !== "0030_otlp_parts_storage.sql";

await runTrial(async (onCleanup) => {
  const database = await createCitusDatabase(2);
  if (!database) return true;
  onCleanup(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "whytrace-migrations-"));
  onCleanup(() => rm(folder, { recursive: true }));
  for (const file of await readdir(MIGRATIONS))
    if (!isNewer(file)) await cp(new URL(file, MIGRATIONS), join(folder, file));
  await migrate(database.url, pathToFileURL(`${folder}/`));
  const operator = new ClusterOperator(database.url);
  onCleanup(() => operator.close());
  for await (const _ of operator.distribute({ shardCount: 4, isOnline: false }));
  const before = await countDistributed(database.url);
  const applied = await migrate(database.url);
  const after = await countDistributed(database.url);
  const { refusals } = await operator.check();
  console.log(
    `${before} tables distributed before ${applied.length} migrations, ${after} of ${DISTRIBUTED_TABLES.length} after; ` +
      `refusals: ${refusals.map(({ text }) => text).join("; ") || "none"}`,
  );
  return after === DISTRIBUTED_TABLES.length && before < after && refusals.length === 0;
});

async function countDistributed(url: string): Promise<number> {
  const rows = await select(url, "select from pg_dist_partition where partmethod = 'h'");
  return rows.length;
}
