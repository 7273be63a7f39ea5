import { readConfig } from "../../server/src/config.ts";
import { createDatabase, createPool, type Database } from "../../server/src/db/database.ts";
import { Sharding } from "../../server/src/db/sharding.ts";
import { type RunningServer, startServer } from "../../server/src/server.ts";
import { afterFile } from "./after-file.ts";
import { isDistributed } from "./citus-cluster.ts";
import { Client } from "./client.ts";
import { createTestDatabase } from "./test-database.ts";
import { UNLIMITED } from "./unlimited.ts";

export interface Booted {
  server: RunningServer;
  client: Client;
  db: Database;
  databaseUrl: string;
}

/** Starts the real server on a free port, on a new database or on the one that `DATABASE_URL` names. */
export async function boot(env: Record<string, string> = {}): Promise<Booted> {
  const url = env.DATABASE_URL ?? (await createTestDatabase());
  const config = readConfig({
    ...UNLIMITED,
    LOG_LEVEL: "silent",
    MIGRATE_ON_START: "false",
    PORT: "0",
    ...env,
    DATABASE_URL: url,
  });
  const server = await startServer(config);
  const db = createDatabase(createPool(url, { max: 2 }), isDistributed ? new Sharding() : undefined);
  afterFile(async () => {
    await server.stop(0);
    await db.destroy();
  });
  return { server, client: new Client(server.url), db, databaseUrl: url };
}
