// Runs the black-box conformance suite against the built server (`npm start`), each group of tests on a new database and a
// server of its own, a few side by side. The databases are created on the server in TEST_DATABASE_URL, or on one started for
// this run: the suite calls `pg_dump`, which must not be older than the server, so it is the installed one if there is one. The
// suite is in CONFORMANCE_DIR; default: ../shared/conformance. With names of files (`npm run conformance -- issues-alerts`),
// only their groups run.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@whytrace/testing/free-port.ts";
import { createMemoryLimit } from "@whytrace/testing/memory-limit.ts";
import {
  createClusterDatabase,
  dropDatabase,
  isDistributed,
  migrateTestDatabase,
} from "@whytrace/testing/postgres/citus-cluster.ts";
import { databaseUrl } from "@whytrace/testing/postgres/databases.ts";
import { startInstalledPostgres } from "@whytrace/testing/postgres/installed-postgres.ts";
import { openPostgres } from "@whytrace/testing/postgres/open-postgres.ts";
import { DEFAULT_LIMITS, UNLIMITED as UNLIMITED_RATES } from "@whytrace/testing/server/unlimited.ts";
import { seconds } from "./timed-steps.ts";

const root = join(import.meta.dirname, "..");
const suite = process.env.CONFORMANCE_DIR ?? join(root, "../shared/conformance");

/** The server's own limits of what users send and read stay: the suite must pass with them. */
const UNLIMITED = { ...UNLIMITED_RATES, ...DEFAULT_LIMITS };
interface Group {
  files: string[];
  env: Record<string, string>;
  /** The host in the server's public address. Default: 127.0.0.1. */
  publicHost?: string;
  /** The server's memory, where this machine lets us limit it. */
  memoryBytes?: number;
  /** Receives the server's mail. */
  hasMailServer?: boolean;
  /** Measures for minutes: it runs only if it is named, and nothing runs beside it. */
  isMeasurement?: boolean;
}
/** Many tests wait more than they work: for a tick, a window of time, or the other side. */
const MAX_GROUPS = 3;
/** The longest first, so that none of them is left alone at the end. */
const GROUPS: Group[] = [
  { files: ["otlp", "scores"], env: UNLIMITED },
  {
    files: ["issues-alerts"],
    env: {
      ...UNLIMITED,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      DELIVERY_RETRIES: "1s,1s,1s",
      NOTIFY_BURST: "3/4s",
      ALERT_TICK: "1s",
      FREE_SESSIONS_PER_DAY: "unlimited",
    },
    hasMailServer: true,
  },
  {
    files: ["workspaces"],
    // A passkey belongs to a name, never to an IP address.
    publicHost: "localhost",
    env: {
      ...UNLIMITED,
      FREE_SESSIONS_PER_DAY: "unlimited",
      ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString("base64"),
      OIDC_PROVIDERS: "corp,other",
      OIDC_CORP_NAME: "Corp",
      OIDC_CORP_ISSUER: "http://127.0.0.1:12180",
      OIDC_CORP_CLIENT_ID: "whytrace",
      OIDC_CORP_CLIENT_SECRET: "corp-secret-of-the-suite-0123456789",
      OIDC_OTHER_NAME: "Other",
      OIDC_OTHER_ISSUER: "http://127.0.0.1:12181",
      OIDC_OTHER_CLIENT_ID: "whytrace",
      OIDC_OTHER_CLIENT_SECRET: "other-secret-of-the-suite-0123456789",
    },
    hasMailServer: true,
  },
  { files: ["accounts", "ingest", "query"], env: UNLIMITED },
  { files: ["masking"], env: UNLIMITED },
  { files: ["mail"], env: UNLIMITED, hasMailServer: true },
  {
    files: ["billing"],
    env: {
      ...UNLIMITED,
      STRIPE_API_BASE: "http://127.0.0.1:12111",
      STRIPE_SECRET_KEY: "sk_test_x",
      STRIPE_WEBHOOK_SECRET: "whsec_conformance",
      STRIPE_PRICE_STARTER: "price_starter",
      STRIPE_PRICE_PRO: "price_pro",
    },
  },
  { files: ["limits"], env: { RATE_LIMIT_LOGIN: "3/5s", RATE_LIMIT_REGISTER: "4/5s" } },
  {
    files: ["bounded"],
    env: {
      ...UNLIMITED,
      FREE_SESSIONS_PER_DAY: "unlimited",
      METRICS_TOKEN: "the-suite-reads-cpu-and-memory",
      PUBLIC_URL: "https://whytrace.example.test",
    },
    memoryBytes: 2 ** 30,
    isMeasurement: true,
  },
];

if (!existsSync(suite)) {
  console.log(`No conformance suite at ${suite}: skipped.`);
  process.exit(0);
}
const named = process.argv.slice(2);
const groups = GROUPS.filter(({ files, isMeasurement }) =>
  named.length === 0 ? !isMeasurement : files.some((file) => named.includes(file)),
);
if (groups.length === 0) {
  console.error(
    `There is no ${named.join(", ")}. There are ${GROUPS.flatMap(({ files }) => files).join(", ")}.`,
  );
  process.exit(2);
}
const installed = process.env.TEST_DATABASE_URL ? undefined : await startInstalledPostgres();
const postgres = installed ?? (await openPostgres());
const waiting = groups.filter(({ isMeasurement }) => !isMeasurement);
const failed: Group[] = [];
const areSeveral = waiting.length > 1;
await Promise.all(
  Array.from({ length: MAX_GROUPS }, async () => {
    for (let group = waiting.shift(); group; group = waiting.shift())
      if (!(await passes(group, areSeveral))) failed.push(group);
  }),
);
for (const group of groups) if (group.isMeasurement && !(await passes(group))) failed.push(group);
let hasFailed = false;
for (const group of failed) {
  // The suite has limits of time, which a machine with other work can miss. Nothing runs beside the second try.
  console.log(`\n# ${group.files.join(", ")} failed and is tried again`);
  if (!(await passes(group))) hasFailed = true;
}
await postgres.stop();
process.exit(hasFailed ? 1 : 0);

/** The output of a group that runs beside others is printed when it has ended. */
async function passes(group: Group, isBesideOthers = false): Promise<boolean> {
  const startedAt = performance.now();
  const output: Buffer[] = [];
  const files = group.files.join(", ");
  if (!isBesideOthers) console.log(`\n# conformance: ${files}`);
  const hasPassed = await runGroup(group, isBesideOthers ? output : undefined).catch((error: unknown) => {
    console.error(error);
    return false;
  });
  if (isBesideOthers) console.log(`\n# conformance: ${files}\n${Buffer.concat(output)}`);
  console.log(`# ${files} took ${seconds(performance.now() - startedAt)}`);
  return hasPassed;
}

async function runGroup(
  { files, env: own, publicHost = "127.0.0.1", memoryBytes, hasMailServer }: Group,
  output?: Buffer[],
): Promise<boolean> {
  const name = `whytrace_conformance_${process.pid}_${files[0]?.replaceAll("-", "_")}`;
  await createClusterDatabase(postgres.adminUrl, name);
  const DATABASE_URL = databaseUrl(postgres.adminUrl, name);
  if (isDistributed) await migrateTestDatabase(DATABASE_URL);
  const port = await freePort();
  const BASE_URL = `http://127.0.0.1:${port}`;
  const PUBLIC_URL = `http://${publicHost}:${port}`;
  const mailPort = hasMailServer && (await freePort());
  const mail = mailPort && { SMTP_URL: `smtp://127.0.0.1:${mailPort}`, SMTP_STANDIN_PORT: String(mailPort) };
  const env = { ...own, ...mail };
  const limit = memoryBytes === undefined ? undefined : createMemoryLimit(memoryBytes);
  const start = (command: string, args: string[], options: SpawnOptions) => {
    const stdio = output ? "pipe" : "inherit";
    const child = spawn(command, args, { ...options, stdio: ["ignore", stdio, stdio] });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output?.push(chunk));
    return child;
  };
  const server = start("sh", ["-c", `${limit?.enter ?? ":"} && exec npm start --silent`], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL,
      PORT: String(port),
      PUBLIC_URL,
      LOG_LEVEL: "warn",
      SHARDING: isDistributed ? "citus" : "none",
      ...env,
    },
    detached: true,
  });
  try {
    await waitUntilHealthy(server, BASE_URL);
    const tests = start(
      process.execPath,
      [
        "--test",
        "--test-concurrency=1",
        "--test-reporter=spec",
        ...files.map((file) => join(suite, `${file}.test.mjs`)),
      ],
      { env: { ...process.env, PUBLIC_URL, ...env, BASE_URL, DATABASE_URL } },
    );
    const [code]: (number | null)[] = await once(tests, "close");
    return code === 0;
  } finally {
    await stop(server);
    await limit?.remove();
    await dropDatabase(postgres.adminUrl, name);
  }
}

async function waitUntilHealthy(server: ChildProcess, baseUrl: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(100)) {
    if (server.exitCode !== null) throw new Error(`the server exited with ${server.exitCode}`);
    const isHealthy = await fetch(`${baseUrl}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
  }
  throw new Error("the server was not healthy within 120 s");
}

/** Signals the whole process group, because npm does not forward signals reliably. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  const exited = once(server, "exit");
  process.kill(-server.pid, "SIGINT");
  await Promise.race([exited, sleep(5_000)]);
  try {
    process.kill(-server.pid, "SIGKILL");
  } catch {
    // The group has already exited.
  }
}
