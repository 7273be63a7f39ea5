import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CliError } from "../cli-error.ts";
import type { Config } from "../config.ts";
import { freePort } from "./ports.ts";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";
import { type PostgresUser, postgresUser } from "./postgres-user.ts";
import { processCommand } from "./process-command.ts";

export interface Postgres {
  url: string;
  /** Resolves when the process exits for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const SUPERUSER = "whytrace";
const READY_MESSAGE = "database system is ready to accept connections";
const MAX_LOG_LINES = 12;
const START_TIMEOUT_MS = 60_000;
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  // No Unix socket: it would need a folder that other users can write to.
  unix_socket_directories: "",
  max_connections: "60",
  lc_messages: "C",
};

/** Starts PostgreSQL on a data folder. Initialises a new folder and cleans up after a killed run. */
export async function startPostgres(
  dataFolder: string,
  password: string,
  environment: Config["childEnvironment"],
): Promise<Postgres> {
  const binaries = await postgresBinaries();
  const user = await postgresUser(binaries.postgres);
  const folder = join(dataFolder, "postgres");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  // PostgreSQL, as another user, needs to traverse the folder, but not to list it.
  if ("uid" in user) await chmod(dataFolder, (await stat(dataFolder)).mode | 0o011);
  if (existsSync(join(folder, "PG_VERSION"))) await checkVersion(folder, binaries);
  else await initialise(binaries, user, folder, password, environment);
  // On Windows, PostgreSQL handles its stale lock file itself.
  if (process.platform !== "win32") await stopLeftoverPostgres(folder);
  const port = await freePort();
  const child = spawnSupervisor(folder, binaries, user, port, environment);
  const lines = await waitUntilReady(child);
  const ended = once(child, "exit").then(() => {});
  return {
    url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
    ended,
    async stop() {
      lines.length = 0;
      child.stdin?.end();
      await ended;
    },
  };
}

async function initialise(
  { initdb }: PostgresBinaries,
  user: PostgresUser,
  folder: string,
  password: string,
  environment: Config["childEnvironment"],
): Promise<void> {
  // Remove what an interrupted initdb left behind.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if ("uid" in user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    await promisify(execFile)(
      initdb,
      [
        ...[
          "-D",
          folder,
          "-U",
          SUPERUSER,
          "--auth=scram-sha-256",
          `--pwfile=${passwordFile}`,
          "--encoding=UTF8",
        ],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ],
      { ...user, cwd: folder, env: environment },
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw new CliError(`Cannot set up PostgreSQL in ${folder}:\n${reason.trim()}`, {
      advice: "Choose another folder with --data, or use your own PostgreSQL with --database.",
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function checkVersion(folder: string, { postgres }: PostgresBinaries): Promise<void> {
  const dataVersion = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  const binaryVersion = /\d+/.exec(stdout)?.[0];
  if (binaryVersion === undefined || binaryVersion === dataVersion) return;
  throw new CliError(
    `The data in ${folder} belongs to PostgreSQL ${dataVersion}, but this whytrace includes PostgreSQL ${binaryVersion}`,
    {
      advice:
        "Start with an empty folder (--data <folder>), or go back to your previous version of whytrace.",
    },
  );
}

/** Stops a PostgreSQL that outlived a killed run, and removes its lock file. */
async function stopLeftoverPostgres(folder: string): Promise<void> {
  const lock = join(folder, "postmaster.pid");
  const pid = Number((await readFile(lock, "utf8").catch(() => "")).split("\n")[0]);
  if (!(pid > 0)) return;
  const isOurs = async () => (await processCommand(pid))?.includes(folder) === true;
  if (await isOurs()) process.kill(pid, "SIGINT");
  for (const deadline = Date.now() + 10_000; await isOurs(); await sleep(50))
    if (Date.now() > deadline)
      throw new CliError(`PostgreSQL of an earlier run (process ${pid}) does not stop`, {
        advice: `Stop it yourself: kill ${pid}`,
      });
  await rm(lock, { force: true });
}

function spawnSupervisor(
  folder: string,
  { postgres, pgCtl }: PostgresBinaries,
  user: PostgresUser,
  port: number,
  env: Config["childEnvironment"],
): ChildProcess {
  const supervisor = fileURLToPath(
    new URL(`./supervise-postgres${extname(import.meta.url)}`, import.meta.url),
  );
  const ids = "uid" in user ? [String(user.uid), String(user.gid)] : ["", ""];
  const flags = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(
    process.execPath,
    [supervisor, postgres, pgCtl, folder, ...ids, "-p", String(port), ...flags],
    {
      // Its own process group: Ctrl-C reaches only `dev`, which finishes open requests before it stops the database.
      detached: true,
      env,
      stdio: ["pipe", "ignore", "pipe"],
    },
  );
}

async function waitUntilReady(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    if (child.stderr)
      createInterface({ input: child.stderr }).on("line", (line) => {
        lines.push(line);
        if (lines.length > MAX_LOG_LINES) lines.shift();
        if (line.includes(READY_MESSAGE)) resolve();
      });
    child.once("error", reject);
    child.once("close", () => reject(new CliError(`PostgreSQL did not start:\n${lines.join("\n")}`)));
  });
  const timer = setTimeout(() => child.stdin?.end(), START_TIMEOUT_MS);
  try {
    await ready;
  } finally {
    clearTimeout(timer);
  }
  return lines;
}
