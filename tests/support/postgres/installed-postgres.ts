import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, rmSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../free-port.ts";
import { execute } from "./databases.ts";
import type { OpenedPostgres } from "./open-postgres.ts";

const START_TIMEOUT_MS = 60_000;
/** Nobody needs its data after a crash of the machine. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  fsync: "off",
  jit: "off",
};
/** What ends this process by default, without the event `exit`. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Starts the PostgreSQL that Debian's package installed, with data of its own in a temporary folder and on a free port: its
 * `pg_dump` and `psql`, which programs find in the path, have its version. Returns undefined where none is installed.
 */
export async function startInstalledPostgres(): Promise<OpenedPostgres | undefined> {
  const folder = newestBinaries();
  if (folder === undefined) return undefined;
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  const data = await mkdtemp(join(tmpdir(), "whytrace-installed-postgres-"));
  if (owner.uid !== undefined) await chown(data, owner.uid, owner.gid);
  // A folder that it may not read would be an error of its own.
  const options = { ...owner, cwd: data };
  const initialize = [
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ];
  await promisify(execFile)(join(folder, "initdb"), initialize, options);
  const port = await freePort();
  const flags = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(folder, "postgres"), ["-D", data, ...flags], { ...options, stdio: "ignore" });
  const stop = async () => {
    process.off("exit", abandon);
    for (const signal of SIGNALS) process.off(signal, stopAndExit);
    if (server.exitCode === null) {
      const exited = once(server, "exit");
      server.kill("SIGINT");
      await exited;
    }
    await rm(data, { recursive: true, force: true });
  };
  // Whatever ends this process ends the server, too.
  const abandon = () => {
    server.kill("SIGQUIT");
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  const stopAndExit = () => void stop().finally(() => process.exit(1));
  process.once("exit", abandon);
  for (const signal of SIGNALS) process.once(signal, stopAndExit);
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
    if (await execute(adminUrl, "select 1").catch(() => undefined)) break;
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`The PostgreSQL in ${folder} did not start`);
  }
  return { adminUrl, isOwn: true, stop };
}

function newestBinaries(): string | undefined {
  const version = (folder: string) => Number(folder.split("/").at(-2));
  return globSync("/usr/lib/postgresql/*/bin/initdb")
    .map((path) => join(path, ".."))
    .sort((a, b) => version(a) - version(b))
    .at(-1);
}

function idOf(option: "-u" | "-g"): number {
  return Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
}
