import { readConfig } from "../../../packages/server/src/config.ts";
import { createDatabase, createPool, type Database } from "../../../packages/server/src/db/database.ts";
import { REUSE } from "../../../packages/server/src/db/result-cache.ts";
import { type RunningServer, startServer } from "../../../packages/server/src/server.ts";
import { PAUSES_MS } from "../../../packages/server/src/worker-pauses.ts";
import { afterFile } from "../after-file.ts";
import { isDistributed } from "../postgres/citus-cluster.ts";
import { createTestDatabase } from "../postgres/test-database.ts";
import type { Client } from "./client.ts";
import { DatabaseClient } from "./database-client.ts";
import { UNLIMITED } from "./unlimited.ts";

// A result that a slow machine computed for long would be served after a change, and tests compare with what they sent.
REUSE.expensiveMs = Number.POSITIVE_INFINITY;

const USUAL_PAUSES_MS = { ...PAUSES_MS };

export interface Booted {
  server: RunningServer;
  client: Client;
  db: Database;
  databaseUrl: string;
}

export interface BootOptions {
  /**
   * To how many workspaces each user of `client` belongs. With two, a test fails if the server takes a workspace of the person
   * for the one that a request is about.
   */
  memberships?: 1 | 2;
  /** Shorter pauses of workers that the test waits for. They last until the end of the test file. */
  pausesMs?: Partial<typeof PAUSES_MS>;
}

/** Starts the real server on a free port, on a new database or on the one that `DATABASE_URL` names. */
export async function boot(
  env: Record<string, string> = {},
  { memberships = 2, pausesMs = {} }: BootOptions = {},
): Promise<Booted> {
  Object.assign(PAUSES_MS, pausesMs);
  afterFile(async () => Object.assign(PAUSES_MS, USUAL_PAUSES_MS));
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
  const db = createDatabase(createPool(url, { max: 2 }), isDistributed ? {} : undefined);
  afterFile(async () => {
    await server.stop(0);
    await db.destroy();
  });
  return {
    server,
    client: new DatabaseClient(server.url, db, config, memberships),
    db,
    databaseUrl: url,
  };
}
