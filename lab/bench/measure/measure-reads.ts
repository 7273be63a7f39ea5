import { percentile } from "@whytrace/testing/percentile.ts";
import { createSession, findWorkspaceId } from "@whytrace/testing/samples/create-session.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { readUsage } from "../../../packages/server/src/billing/usage.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";
import { readTotals, totalTraces } from "../../../packages/server/src/trace-store/counts/totals.ts";
import { KeepAliveClient } from "../keep-alive-client.ts";
import { BIG_EMAIL, FREE_EMAIL } from "../tenants.ts";
import { type ReadCase, readCases } from "./read-cases.ts";
import { findReadSamples } from "./read-samples.ts";

export interface ReadMetrics {
  name: string;
  /** The total of the list; null for other reads. */
  total: number | null;
  bytes: number;
  /** Number of measured requests: fewer if the read is slow. */
  requests: number;
  /** The first request, with empty caches. */
  firstMs: number;
  p50Ms: number;
  p99Ms: number;
}

interface ReadOptions {
  requests: number;
  warmUp: number;
  /** Measures only reads whose name matches. */
  only: RegExp;
  /** Measures only pages up to this one, with the page numbers of a tenant of 100,000 traces. */
  maxPage?: number;
}

/** Time limits for slow reads; `MIN_REQUESTS` are always measured. */
const MAX_WARM_UP_MS = 5_000;
const MAX_CASE_MS = 10_000;
const MIN_REQUESTS = 10;

/** Measures every read, one after another, for the large tenant of a database filled by load-tenants.ts. */
export async function measureReads(
  databaseUrl: string,
  db: Database,
  options: ReadOptions,
): Promise<ReadMetrics[]> {
  const server = await startBuiltServer(databaseUrl);
  const results: ReadMetrics[] = [];
  const add = async (name: string, call: (index: number) => Promise<string>) => {
    if (options.only.test(name)) results.push(await time(name, options, call));
  };
  try {
    const big = await findWorkspaceId(db, BIG_EMAIL);
    const scale = options.maxPage ? 1 : totalTraces(await readTotals(db, big)) / 100_000;
    const { maxPage = Number.POSITIVE_INFINITY } = options;
    const isWithin = ({ path }: ReadCase) => Number(/[?&]page=(\d+)/.exec(path(0))?.[1] ?? 1) <= maxPage;
    const client = new KeepAliveClient(server.url, {
      cookie: `whytrace_session=${await createSession(db, big)}`,
    });
    for (const { name, path } of readCases(await findReadSamples(db, big), scale).filter(isWithin))
      await add(name, async (index) => {
        const { status, text } = await client.send(path(index));
        if (status !== 200) throw new Error(`${path(index)} responded with ${status}: ${text}`);
        return text;
      });
    const checkUsage = (name: string, workspaceId: WorkspaceId) =>
      add(`usage check, ${name}`, async () => JSON.stringify(await readUsage(db, workspaceId)));
    await checkUsage("PRO", big);
    if (!options.maxPage)
      await checkUsage("FREE with 20 traces today", await findWorkspaceId(db, FREE_EMAIL));
    client.close();
    return results;
  } finally {
    await server.stop();
  }
}

/** Measures one call after another; reads the total of the list from the response. */
async function time(
  name: string,
  { requests, warmUp }: ReadOptions,
  call: (index: number) => Promise<string>,
): Promise<ReadMetrics> {
  const timesMs: number[] = [];
  const startedAt = performance.now();
  const isWithin = (limitMs: number) => performance.now() - startedAt < limitMs;
  await call(0);
  const firstMs = performance.now() - startedAt;
  let index = 1;
  while (index < warmUp && isWithin(MAX_WARM_UP_MS)) {
    await call(index);
    index += 1;
  }
  let response = "";
  while (timesMs.length < requests && (timesMs.length < MIN_REQUESTS || isWithin(MAX_CASE_MS))) {
    const sentAt = performance.now();
    response = await call(index);
    timesMs.push(performance.now() - sentAt);
    index += 1;
  }
  const total = /"total":(\d+),"page":/.exec(response)?.[1];
  return {
    name,
    total: total === undefined ? null : Number(total),
    bytes: Buffer.byteLength(response),
    requests: timesMs.length,
    firstMs,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}
