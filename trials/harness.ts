import { randomBytes } from "node:crypto";
import { databaseUrl, execute, startEmbeddedPostgres } from "../server/test/postgres.ts";
import { type ServerProcess, startProcess } from "../server/test/process.ts";

export interface TrialDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of the trial's own, on the server TEST_DATABASE_URL names or on one started for it. */
export async function createTrialDatabase(): Promise<TrialDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? undefined : await startEmbeddedPostgres([]);
  const adminUrl = given ?? embedded?.url ?? "";
  const name = `whytrace_trial_${randomBytes(4).toString("hex")}`;
  await execute(adminUrl, `create database ${name}`);
  return {
    url: databaseUrl(adminUrl, name),
    async drop() {
      await execute(adminUrl, `drop database ${name} with (force)`);
      await embedded?.stop();
    },
  };
}

export function startTrialServer(url: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startProcess({
    DATABASE_URL: url,
    LOG_LEVEL: "info",
    RATE_LIMIT_LOGIN: "100000/15m",
    RATE_LIMIT_REGISTER: "100000/1h",
    RATE_LIMIT_FORGOT_PASSWORD: "100000/1h",
    RATE_LIMIT_RESET_PASSWORD: "100000/1h",
    ...env,
  });
}
