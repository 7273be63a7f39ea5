import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { readPrivateJson, writePrivateJson } from "../private-file.ts";
import { processCommand } from "./process-command.ts";

/** What `dev` saves between runs, and how other commands reach the running one. */
export interface DevState {
  /** Undefined after a clean stop. */
  pid?: number | undefined;
  port?: number | undefined;
  url?: string | undefined;
  databaseUrl?: string | undefined;
  password?: string | undefined;
  /** Encrypts the secrets of authenticator apps. */
  encryptionKey?: string | undefined;
  key?: string | undefined;
  session?: string | undefined;
  /** One of the demo traces that `--demo` loaded. */
  demoTraceId?: string | undefined;
}

const fileIn = (dataFolder: string) => join(dataFolder, "dev.json");

export async function readDevState(dataFolder: string): Promise<DevState> {
  const saved = await readPrivateJson(fileIn(dataFolder));
  const text = (field: string) => (typeof saved[field] === "string" ? saved[field] : undefined);
  const number = (field: string) => (typeof saved[field] === "number" ? saved[field] : undefined);
  return {
    pid: number("pid"),
    port: number("port"),
    url: text("url"),
    databaseUrl: text("databaseUrl"),
    password: text("password"),
    encryptionKey: text("encryptionKey"),
    key: text("key"),
    session: text("session"),
    demoTraceId: text("demoTraceId"),
  };
}

export const writeDevState = (dataFolder: string, state: DevState) =>
  writePrivateJson(fileIn(dataFolder), state);

/** The `dev` running on this folder. Ignores a killed one, even if another process has reused its pid. */
export async function findRunningDev(dataFolder: string): Promise<DevState | undefined> {
  const state = await readDevState(dataFolder);
  return state.pid !== undefined && state.pid !== process.pid && (await isDev(state.pid)) ? state : undefined;
}

/** Locks the folder, so that only one `dev` runs on it; returns a function that releases the lock. */
export async function lockDataFolder(dataFolder: string): Promise<() => Promise<void>> {
  const lock = join(dataFolder, "dev.lock");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx", mode: 0o600 });
      return () => rm(lock, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const pid = Number(await readFile(lock, "utf8").catch(() => ""));
    if (pid > 0 && pid !== process.pid && (await isDev(pid))) throw await alreadyRunning(dataFolder, pid);
    // An empty lock file is still being written by another process.
    if (pid === 0) await sleep(100);
    await rm(lock, { force: true });
  }
}

async function alreadyRunning(dataFolder: string, pid: number): Promise<CliError> {
  const { url } = await readDevState(dataFolder);
  return new CliError(
    `whytrace dev is already running on this data folder: ${url ?? "starting"} (process ${pid})`,
    {
      advice: "`whytrace admin link` creates a new sign-in link for it; --data <folder> starts a second one.",
    },
  );
}

async function isDev(pid: number): Promise<boolean> {
  const command = await processCommand(pid);
  return command !== undefined && /whytrace|cli\/(src|dist)\/main|^node\.exe$/.test(command);
}
