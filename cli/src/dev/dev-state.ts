import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { readPrivateJson, writePrivateJson } from "../private-file.ts";
import { commandOf } from "./process-command.ts";

/** What `dev` keeps between runs, and where the one that runs can be reached. */
export interface DevState {
  /** The process; none when it was stopped. */
  pid?: number | undefined;
  port?: number | undefined;
  url?: string | undefined;
  databaseUrl?: string | undefined;
  password?: string | undefined;
  key?: string | undefined;
  session?: string | undefined;
}

const fileIn = (dataFolder: string) => join(dataFolder, "dev.json");

export async function readDevState(dataFolder: string): Promise<DevState> {
  const kept = await readPrivateJson(fileIn(dataFolder));
  const text = (field: string) => (typeof kept[field] === "string" ? kept[field] : undefined);
  const number = (field: string) => (typeof kept[field] === "number" ? kept[field] : undefined);
  return {
    pid: number("pid"),
    port: number("port"),
    url: text("url"),
    databaseUrl: text("databaseUrl"),
    password: text("password"),
    key: text("key"),
    session: text("session"),
  };
}

export const writeDevState = (dataFolder: string, state: DevState) =>
  writePrivateJson(fileIn(dataFolder), state);

/** The `dev` that runs on the folder; one that was killed counts as none, even if its number was given away. */
export async function runningDev(dataFolder: string): Promise<DevState | undefined> {
  const state = await readDevState(dataFolder);
  return state.pid !== undefined && state.pid !== process.pid && (await isDev(state.pid)) ? state : undefined;
}

/** Of several that start at once on a folder, one gets it; what gives it back is the answer. */
export async function claimFolder(dataFolder: string): Promise<() => Promise<void>> {
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
    // An empty lock is one that is just being written.
    if (pid === 0) await sleep(100);
    await rm(lock, { force: true });
  }
}

async function alreadyRunning(dataFolder: string, pid: number): Promise<CliError> {
  const { url } = await readDevState(dataFolder);
  return new CliError(`whytrace dev runs on this data already: ${url ?? "starting"} (process ${pid})`, {
    advice: "`whytrace admin link` gives a new sign-in link for it; --data <folder> starts a second one.",
  });
}

async function isDev(pid: number): Promise<boolean> {
  const command = await commandOf(pid);
  return command !== undefined && /whytrace|cli\/(src|dist)\/main|^node\.exe$/.test(command);
}
