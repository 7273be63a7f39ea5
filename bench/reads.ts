// How long each way of reading takes a tenant of 100,000 traces; see README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { hashToken, randomToken } from "../server/src/auth/random-token.ts";
import { readUsage } from "../server/src/billing/usage.ts";
import { createDatabase, createPool, type Database } from "../server/src/db/database.ts";
import { readTotals, totalTraces } from "../server/src/traces/totals.ts";
import { createBenchDatabase } from "./bench-database.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { loadTenants } from "./load-tenants.ts";
import { percentile } from "./percentile.ts";
import { readCases } from "./read-cases.ts";
import { type ReadFigure, reportReads } from "./report-reads.ts";
import { findSpecimens } from "./specimens.ts";
import { startServer } from "./start-server.ts";
import { BIG_EMAIL, FREE_EMAIL } from "./tenants.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    requests: { type: "string", default: "200" },
    "warm-up": { type: "string", default: "20" },
    only: { type: "string", default: "" },
    database: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const requests = Number(values.requests);
const warmUp = Number(values["warm-up"]);
const only = new RegExp(values.only);
/** A read that takes seconds is not asked for 200 times: these bound a case, but for its first requests. */
const WARM_UP_MS = 5_000;
const CASE_MS = 30_000;
const REQUESTS_LEAST = 10;

const created = values.database === undefined ? await createBenchDatabase() : undefined;
const databaseUrl = values.database ?? created?.url ?? "";
try {
  if (created) await loadTenants(databaseUrl, Number(values.scale));
  const { figures, scale } = await measureAll();
  const report = reportReads(figures, { scale, requests, warmUp });
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL("reads.json", folder),
    `${JSON.stringify({ scale, requests, warmUp, figures }, null, 2)}\n`,
  );
  writeFileSync(new URL("reads.md", folder), report);
  console.log(report);
} finally {
  if (values.keep) console.log(`kept: ${databaseUrl}`);
  else await created?.drop();
}

async function measureAll(): Promise<{ figures: ReadFigure[]; scale: number }> {
  const db = createDatabase(createPool(databaseUrl, { max: 1 }));
  const server = await startServer(databaseUrl);
  try {
    const big = await userIdOf(db, BIG_EMAIL);
    const free = await userIdOf(db, FREE_EMAIL);
    const scale = totalTraces(await readTotals(db, big)) / 100_000;
    const client = new KeepAliveClient(server.url, { cookie: `whytrace_session=${await signIn(db, big)}` });
    const figures: ReadFigure[] = [];
    for (const { name, path } of readCases(await findSpecimens(db, big), scale)) {
      if (!only.test(name)) continue;
      figures.push(
        await measure(name, async (index) => {
          const { status, text } = await client.send(path(index));
          if (status !== 200) throw new Error(`${path(index)} answered ${status}: ${text}`);
          return text;
        }),
      );
    }
    for (const [name, userId] of [
      ["usage check, PRO", big],
      ["usage check, FREE with 20 traces today", free],
    ] as const)
      if (only.test(name))
        figures.push(await measure(name, async () => JSON.stringify(await readUsage(db, userId))));
    client.close();
    return { figures, scale };
  } finally {
    await server.stop();
    await db.destroy();
  }
}

/** Times one call after another; the answer tells how many there are in the whole list. */
async function measure(name: string, call: (index: number) => Promise<string>): Promise<ReadFigure> {
  const timesMs: number[] = [];
  const began = performance.now();
  const isWithin = (boundMs: number) => performance.now() - began < boundMs;
  let index = 0;
  while (index < warmUp && isWithin(WARM_UP_MS)) {
    await call(index);
    index += 1;
  }
  let answer = "";
  while (timesMs.length < requests && (timesMs.length < REQUESTS_LEAST || isWithin(CASE_MS))) {
    const sentAt = performance.now();
    answer = await call(index);
    timesMs.push(performance.now() - sentAt);
    index += 1;
  }
  const total = /"total":(\d+),"page":/.exec(answer)?.[1];
  return {
    name,
    total: total === undefined ? null : Number(total),
    bytes: Buffer.byteLength(answer),
    requests: timesMs.length,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}

async function userIdOf(db: Database, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(db);
  const [user] = rows;
  if (!user) throw new Error(`${email} is not in the database: was it filled by bench/load-tenants.ts?`);
  return user.id;
}

/** A session without the password's slow hash; returns the cookie's token. */
async function signIn(db: Database, userId: string): Promise<string> {
  const token = randomToken();
  await sql`
    insert into sessions (user_id, token_hash, expires_at)
    values (${userId}, ${hashToken(token)}, now() + interval '1 day')`.execute(db);
  return token;
}
