import { randomBytes } from "node:crypto";
import { migrate } from "../../server/src/db/migrate.ts";
import { databaseUrl, execute } from "./databases.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

export interface TestPostgres {
  adminUrl: string;
  /** A migrated database that tests copy. */
  templateName: string;
  stop(): Promise<void>;
}

/**
 * Takes the server that TEST_DATABASE_URL names, or starts one. A server that merely listens on some port is never used.
 * `stop` drops every database that the test run created.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? undefined : await startEmbeddedPostgres();
  const adminUrl = given ?? embedded?.url ?? "";
  const templateName = `whytrace_test_${randomBytes(6).toString("hex")}`;
  await execute(adminUrl, `create database ${templateName}`);
  await migrate(databaseUrl(adminUrl, templateName));
  return {
    adminUrl,
    templateName,
    async stop() {
      for (const name of await databasesOf(adminUrl, templateName))
        await execute(adminUrl, `drop database ${name} with (force)`);
      await embedded?.stop();
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
