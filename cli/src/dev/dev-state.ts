import { join } from "node:path";
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
  if (state.pid === undefined || state.pid === process.pid) return undefined;
  const command = await commandOf(state.pid);
  return command !== undefined && /whytrace|cli\/(src|dist)\/main/.test(command) ? state : undefined;
}
