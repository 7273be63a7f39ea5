import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCitusDatabase } from "@whytrace/testing/postgres/citus-database.ts";
import { runTrial, select } from "@whytrace/testing/trial.ts";
import { ClusterOperator } from "../../../packages/server/src/cluster-operator.ts";
import { DISTRIBUTED_TABLES } from "../../../packages/server/src/db/distributed-tables.ts";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { splitStatements } from "../../../packages/server/src/db/migrations/split-statements.ts";

/*
 * A database that was distributed without some tables gets them by a migration: they are distributed in the same
 * transaction.
 */

const BASELINE = new URL("../../../packages/server/src/db/migrations/0001_baseline.sql", import.meta.url);
const isLater = (statement: string) => /\b(verdicts|decision_rules|decisions_set_aside)\b/.test(statement);

await runTrial(async (onCleanup) => {
  const database = await createCitusDatabase(2);
  if (!database) return true;
  onCleanup(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "whytrace-migrations-"));
  onCleanup(() => rm(folder, { recursive: true }));
  const statements = splitStatements(await readFile(BASELINE, "utf8"));
  const addMigration = (name: string, isIncluded: (statement: string) => boolean) =>
    writeFile(join(folder, name), `${statements.filter(isIncluded).join(";\n")};\n`);
  await addMigration("0001_baseline.sql", (statement) => !isLater(statement));
  await migrate(database.url, pathToFileURL(`${folder}/`));
  const operator = new ClusterOperator(database.url);
  onCleanup(() => operator.close());
  for await (const _ of operator.distribute({ shardCount: 4, isOnline: false }));
  const before = await countDistributed(database.url);
  await addMigration("0002_verdicts.sql", isLater);
  const applied = await migrate(database.url, pathToFileURL(`${folder}/`));
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
