import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterAll } from "vitest";
import { saveSignIn } from "../src/sign-ins.ts";

/** Starts a server; `signIn` creates a user whose session the commands then use. */
export async function bootSignedIn(settings: Record<string, string> = {}) {
  const { server, client, db } = await boot(settings);
  const folder = await mkdtemp(join(tmpdir(), "whytrace-cli-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = {
    XDG_CONFIG_HOME: folder,
    WHYTRACE_DATA: join(folder, "data"),
    WHYTRACE_URL: server.url,
  };
  const signIn = async (): Promise<Sender> => {
    const user = await newSender(client, db);
    await saveSignIn(join(folder, "whytrace"), server.url, {
      email: user.email,
      session: user.cookie?.split("=")[1] ?? "",
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      workspace: (await prefixOf(db, user)).slice("/w/".length),
    });
    return user;
  };
  return { db, env, signIn };
}
