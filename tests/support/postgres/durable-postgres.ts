import { randomBytes } from "node:crypto";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { databaseUrl, execute } from "./databases.ts";
import { openPostgres } from "./open-postgres.ts";

export interface DurablePostgres {
  /** Creates a migrated database for this run: a copy of one that was migrated once. */
  create(): Promise<DurableDatabase>;
  stop(): Promise<void>;
}

interface DurableDatabase {
  url: string;
  drop(): Promise<void>;
}

const DURABILITY_SETTINGS = ["fsync", "synchronous_commit", "full_page_writes"];

/** Opens the server in TEST_DATABASE_URL, or starts one for this run; requires durable settings of both. */
export async function openDurablePostgres(): Promise<DurablePostgres> {
  const { adminUrl, stop } = await openPostgres([]);
  await expectDurable(adminUrl);
  const run = `whytrace_bench_${randomBytes(4).toString("hex")}`;
  const template = `${run}_template`;
  const drop = (name: string) => execute(adminUrl, `drop database if exists ${name} with (force)`);
  let hasTemplate = false;
  let created = 0;
  return {
    async create() {
      if (!hasTemplate) {
        await execute(adminUrl, `create database ${template}`);
        hasTemplate = true;
        await migrate(databaseUrl(adminUrl, template));
      }
      created += 1;
      const name = `${run}_${created}`;
      await execute(adminUrl, `create database ${name} template ${template}`);
      return {
        url: databaseUrl(adminUrl, name),
        async drop() {
          await drop(name);
        },
      };
    },
    async stop() {
      if (hasTemplate) await drop(template);
      await stop();
    },
  };
}

async function expectDurable(adminUrl: string): Promise<void> {
  for (const name of DURABILITY_SETTINGS) {
    const { rows } = await execute(adminUrl, `select current_setting('${name}') as value`);
    if (rows[0].value !== "on")
      throw new Error(`${name} is ${rows[0].value}: measurements need a durable PostgreSQL`);
  }
}
