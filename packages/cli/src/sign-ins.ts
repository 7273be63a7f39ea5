import { join } from "node:path";
import { isRecord } from "./api.ts";
import { readPrivateJson, writePrivateJson } from "./private-file.ts";

/** A session of a user, or an API key that reads. */
export type SignIn = SessionSignIn | { readKey: string };
export interface SessionSignIn {
  email: string;
  session: string;
  expiresAt: string;
  /** The slug of the chosen workspace. */
  workspace?: string | undefined;
}

const fileIn = (configFolder: string) => join(configFolder, "sign-ins.json");

/** What `login` saved, by server URL. */
export async function readSignIns(configFolder: string): Promise<Record<string, SignIn>> {
  const saved = await readPrivateJson(fileIn(configFolder));
  return Object.fromEntries(
    Object.entries(saved).filter((entry): entry is [string, SignIn] => isSignIn(entry[1])),
  );
}

/** Saves the session or key for a server; undefined deletes it. */
export async function saveSignIn(
  configFolder: string,
  url: string,
  signIn: SignIn | undefined,
): Promise<void> {
  const { [url]: _, ...others } = await readSignIns(configFolder);
  await writePrivateJson(fileIn(configFolder), signIn ? { ...others, [url]: signIn } : others);
}

const isSignIn = (value: unknown): value is SignIn =>
  isRecord(value) &&
  (typeof value.readKey === "string" ||
    ["email", "session", "expiresAt"].every((field) => typeof value[field] === "string"));
