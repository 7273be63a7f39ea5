import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { createSession, findUserId } from "@whytrace/testing/create-session.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import { readUsage } from "../server/src/billing/usage.ts";
import type { Database } from "../server/src/db/database.ts";
import { readTotals, totalTraces } from "../server/src/trace-store/totals.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { type ReadCase, readCases } from "./read-cases.ts";
import { findSpecimens } from "./specimens.ts";
import { BIG_EMAIL, FREE_EMAIL } from "./tenants.ts";

export interface ReadFigure {
  name: string;
  /** How many records the whole list has; null where there is no list. */
  total: number | null;
  bytes: number;
  /** How often it was timed: fewer where it is slow. */
  requests: number;
  /** Of the very first one, with nothing remembered. */
  firstMs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ReadTerms {
  requests: number;
  warmUp: number;
  /** Only the reads whose name matches. */
  only: RegExp;
  /** Only pages up to this one; page numbers are then those of a tenant of 100,000 traces, whatever its size. */
  pagesMost?: number;
}

/** A read that takes seconds is not asked for 200 times: these bound a case, but for its first requests. */
const WARM_UP_MS = 5_000;
const CASE_MS = 10_000;
const REQUESTS_LEAST = 10;

/** Every way of reading, one after another, for the large tenant of a database that load-tenants filled. */
export async function measureReads(
  databaseUrl: string,
  db: Database,
  terms: ReadTerms,
): Promise<ReadFigure[]> {
  const server = await startBuiltServer(databaseUrl);
  const figures: ReadFigure[] = [];
  const add = async (name: string, call: (index: number) => Promise<string>) => {
    if (terms.only.test(name)) figures.push(await time(name, terms, call));
  };
  try {
    const big = await findUserId(db, BIG_EMAIL);
    const scale = terms.pagesMost ? 1 : totalTraces(await readTotals(db, big)) / 100_000;
    const { pagesMost = Number.POSITIVE_INFINITY } = terms;
    const isWithin = ({ path }: ReadCase) => Number(/[?&]page=(\d+)/.exec(path(0))?.[1] ?? 1) <= pagesMost;
    const client = new KeepAliveClient(server.url, {
      cookie: `whytrace_session=${await createSession(db, big)}`,
    });
    for (const { name, path } of readCases(await findSpecimens(db, big), scale).filter(isWithin))
      await add(name, async (index) => {
        const { status, text } = await client.send(path(index));
        if (status !== 200) throw new Error(`${path(index)} answered ${status}: ${text}`);
        return text;
      });
    const checkUsage = (name: string, userId: string) =>
      add(`usage check, ${name}`, async () => JSON.stringify(await readUsage(db, userId)));
    await checkUsage("PRO", big);
    if (!terms.pagesMost) await checkUsage("FREE with 20 traces today", await findUserId(db, FREE_EMAIL));
    client.close();
    return figures;
  } finally {
    await server.stop();
  }
}

/** Times one call after another; the answer tells how many there are in the whole list. */
async function time(
  name: string,
  { requests, warmUp }: ReadTerms,
  call: (index: number) => Promise<string>,
): Promise<ReadFigure> {
  const timesMs: number[] = [];
  const began = performance.now();
  const isWithin = (boundMs: number) => performance.now() - began < boundMs;
  await call(0);
  const firstMs = performance.now() - began;
  let index = 1;
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
    firstMs,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}
