import { randomBytes } from "node:crypto";
import {
  closeTemplate,
  createClusterDatabase,
  dropDatabase,
  isDistributed,
  migrateTestDatabase,
} from "./citus-cluster.ts";
import { databaseUrl, execute } from "./databases.ts";
import { openPostgres } from "./open-postgres.ts";

export interface TestPostgres {
  adminUrl: string;
  /** A migrated database that tests copy. */
  templateName: string;
  stop(): Promise<void>;
}

/** Opens PostgreSQL for a test run. No database that the run created outlives `stop`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { adminUrl, isOwn, stop } = await openPostgres();
  const templateName = `whytrace_test_${randomBytes(6).toString("hex")}`;
  await createClusterDatabase(adminUrl, templateName);
  await migrateTestDatabase(databaseUrl(adminUrl, templateName));
  if (isDistributed) await closeTemplate(adminUrl, templateName);
  return {
    adminUrl,
    templateName,
    async stop() {
      if (!isOwn)
        for (const name of await databasesOf(adminUrl, templateName)) await dropDatabase(adminUrl, name);
      await stop();
    },
  };
}

async function databasesOf(adminUrl: string, prefix: string): Promise<string[]> {
  const { rows } = await execute(
    adminUrl,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  );
  return rows.map((row: { datname: string }) => row.datname);
}
