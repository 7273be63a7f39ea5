// One tenant sends 10,000 small compressed OTLP requests (`--requests`) in which a resource of 1 MB belongs to 1,500 spans,
// beside eight tenants who behave. Passes if the server stays the same process, below 1,000 MiB, and
// refuses nothing of the others.

import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, otlpSpan } from "@whytrace/testing/otlp/sample-otlp.ts";
import { DEFAULT_LIMITS } from "@whytrace/testing/server/unlimited.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { peakRssMib, resetPeakRss } from "./support/process-memory.ts";
import { QuietTenants } from "./support/quiet-tenants.ts";
import { postRaw } from "./support/raw-request.ts";

const { values } = parseArgs({ options: { requests: { type: "string", default: "10000" } } });
const REQUESTS = Number(values.requests);
const CONNECTIONS = 64;
const QUIET_TENANTS = 8;
const MAX_RSS_MIB = 1_000;
/** Each with another trace id, so that none replaces the spans of another. */
const BODIES = Array.from({ length: 50 }, () => {
  const traceId = otlpId(16);
  const resource = { attributes: otlpAttributes({ filling: "x".repeat(1_000_000) }) };
  const spans = Array.from({ length: 1_500 }, () => otlpSpan(traceId));
  return gzipSync(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }));
});

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url, DEFAULT_LIMITS);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const tenants: Tenant[] = [];
  for (let n = 0; n < QUIET_TENANTS; n += 1)
    tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const sender = await newTenant(server.url, database.url, LARGE_PLAN);
  const quiet = new QuietTenants(server.url, tenants);
  await quiet.run(5);
  const before = await quiet.run(20);
  resetPeakRss(pid);
  const statuses = new Tally();
  let left = REQUESTS;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const body = BODIES[left % BODIES.length] ?? Buffer.alloc(0);
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      const { status } = await postRaw(server.url, sender.key, { path: "/v1/traces", body, headers });
      statuses.add(status);
    }
  };
  const startedAt = performance.now();
  const during = await quiet.runDuring(() => Promise.all(Array.from({ length: CONNECTIONS }, send)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const peakMib = peakRssMib(pid);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  console.log(
    `${REQUESTS} requests of ${BODIES[0]?.length} bytes in ${seconds.toFixed(0)} s: ${statuses}; ` +
      `${isAlive ? "the same process" : "the server ended"}, peak RSS ${peakMib.toFixed(0)} MiB; ` +
      `others: ${during.responses}, refused ${during.refused}, ingest p99 ${before.ingestP99Ms.toFixed(0)} ms before, ` +
      `${during.ingestP99Ms.toFixed(0)} ms meanwhile, reads ${before.readP99Ms.toFixed(0)} and ${during.readP99Ms.toFixed(0)} ms`,
  );
  return isAlive && during.refused === 0 && peakMib < MAX_RSS_MIB && statuses.isOnly(200, 400, 413, 429);
});
