import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { copyDatabase } from "./citus-cluster.ts";
import { databaseUrl, execute } from "./databases.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Responds with the test run's PostgreSQL, and starts it on the first request; see global-setup.ts. */
    testPostgresUrl: string;
  }
}

/** Creates a database for this test file: a copy of the migrated template, or an empty one. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<string> {
  const response = await fetch(inject("testPostgresUrl"));
  if (!response.ok) throw new Error(`PostgreSQL for the tests did not start: ${await response.text()}`);
  const { adminUrl, templateName } = (await response.json()) as { adminUrl: string; templateName: string };
  const name = `${templateName}_${randomBytes(4).toString("hex")}`;
  if (isEmpty) await execute(adminUrl, `create database ${name}`);
  else await copyDatabase(adminUrl, templateName, name);
  return databaseUrl(adminUrl, name);
}
