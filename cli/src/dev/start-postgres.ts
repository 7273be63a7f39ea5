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
import { commandOf } from "./process-command.ts";

export interface Postgres {
  url: string;
  /** Resolves when it ends, whoever ended it. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const OWNER = "whytrace";
const READY = "database system is ready to accept connections";
const LAST_LINES = 12;
const LONGEST_START_MS = 60_000;
const FLAGS = {
  listen_addresses: "127.0.0.1",
  // A folder that other users could write to is no place for a socket.
  unix_socket_directories: "",
  max_connections: "60",
  lc_messages: "C",
};

/** The PostgreSQL of a data folder: made when it is not there yet, and mended after a crash. */
export async function startPostgres(
  dataFolder: string,
  password: string,
  environment: Config["childEnvironment"],
): Promise<Postgres> {
  const binaries = await postgresBinaries();
  const user = await postgresUser(binaries.postgres);
  const folder = join(dataFolder, "postgres");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  // PostgreSQL as somebody else must be able to walk through; nothing to read here is theirs.
  if ("uid" in user) await chmod(dataFolder, (await stat(dataFolder)).mode | 0o011);
  if (existsSync(join(folder, "PG_VERSION"))) await checkVersion(folder, binaries);
  else await initialise(binaries, user, folder, password, environment);
  // On Windows PostgreSQL sees to its lock itself.
  if (process.platform !== "win32") await endFormer(folder);
  const port = await freePort();
  const child = superviseIn(folder, binaries, user, port, environment);
  const lines = await untilReady(child);
  const ended = once(child, "exit").then(() => {});
  return {
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`,
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
  // What is left of an attempt that was cut off.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if ("uid" in user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    await promisify(execFile)(
      initdb,
      [
        ...["-D", folder, "-U", OWNER, "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8"],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ],
      { ...user, cwd: folder, env: environment },
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw new CliError(`PostgreSQL could not be set up in ${folder}:\n${reason.trim()}`, {
      advice: "Choose another folder with --data, or use a PostgreSQL of your own with --database.",
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function checkVersion(folder: string, { postgres }: PostgresBinaries): Promise<void> {
  const made = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  const own = /\d+/.exec(stdout)?.[0];
  if (own === undefined || own === made) return;
  throw new CliError(`The data in ${folder} is of PostgreSQL ${made}; this version brings ${own}`, {
    advice: "Start with an empty folder (--data <folder>), or go back to the version of whytrace you had.",
  });
}

/** A PostgreSQL that is left of a run that was killed is stopped; a lock of one that is gone is taken away. */
async function endFormer(folder: string): Promise<void> {
  const lock = join(folder, "postmaster.pid");
  const pid = Number((await readFile(lock, "utf8").catch(() => "")).split("\n")[0]);
  if (!(pid > 0)) return;
  const isOurs = async () => (await commandOf(pid))?.includes(folder) === true;
  if (await isOurs()) process.kill(pid, "SIGINT");
  for (const deadline = Date.now() + 10_000; await isOurs(); await sleep(50))
    if (Date.now() > deadline)
      throw new CliError(`A PostgreSQL of an earlier run (process ${pid}) does not stop`, {
        advice: `End it by hand: kill ${pid}`,
      });
  await rm(lock, { force: true });
}

function superviseIn(
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
  const flags = Object.entries(FLAGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(
    process.execPath,
    [supervisor, postgres, pgCtl, folder, ...ids, "-p", String(port), ...flags],
    {
      // A group of its own: Ctrl-C reaches `dev`, which lets requests finish before it closes the database.
      detached: true,
      env,
      stdio: ["pipe", "ignore", "pipe"],
    },
  );
}

async function untilReady(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    if (child.stderr)
      createInterface({ input: child.stderr }).on("line", (line) => {
        lines.push(line);
        if (lines.length > LAST_LINES) lines.shift();
        if (line.includes(READY)) resolve();
      });
    child.once("error", reject);
    child.once("close", () => reject(new CliError(`PostgreSQL did not start:\n${lines.join("\n")}`)));
  });
  const timer = setTimeout(() => child.stdin?.end(), LONGEST_START_MS);
  try {
    await ready;
  } finally {
    clearTimeout(timer);
  }
  return lines;
}
