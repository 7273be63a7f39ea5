// Sends one trace by OTLP span by span, as SDKs without batching do, and measures what a span costs while the trace grows.
// Passes if every span is stored and the last thousand cost at most three times the CPU of the first thousand.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { KeepAliveClient } from "../../bench/keep-alive-client.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "../../bench/measure/cpu-time.ts";
import { peakRssMib, resetPeakRss } from "../support/process-memory.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 50_000];
const PART = 1_000;
const MAX_GROWTH = 3;
/** The server may derive a large trace a while after its last span. */
const DERIVED_WITHIN_MS = 120_000;

interface Part {
  wallMs: number;
  serverMs: number;
  postgresMs: number;
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const failures: string[] = [];
  for (const size of SIZES) await sendTrace(size);
  console.log(failures.length === 0 ? "no failures" : `failures:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;

  async function sendTrace(size: number) {
    const server = await startTrialServer(database.url);
    onCleanup(() => killServer(server));
    const pid = server.child.pid ?? 0;
    const postmaster = await findPostmaster(database.url);
    const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
    const client = new KeepAliveClient(server.url, {
      authorization: `Bearer ${key}`,
      "content-type": "application/x-protobuf",
    });
    const traceId = randomBytes(16).toString("hex");
    // A span is sent when it has ended: the root comes last.
    const [root, ...children] = agentRun(traceId, size);
    const bodies = [...children, root].map((span) => encodeOtlp(otlpTraces(span ? [span] : [])));

    const send = async (part: Buffer[]): Promise<Part> => {
      const before = {
        wall: performance.now(),
        server: processCpuMs(pid),
        postgres: postgresCpuMs(postmaster),
      };
      for (const body of part) {
        const { status, text } = await client.send("/v1/traces", { method: "POST", body });
        if (status !== 200 || text !== "") throw new Error(`a span got ${status} ${text}`);
      }
      const per = (ms: number) => ms / part.length;
      return {
        wallMs: per(performance.now() - before.wall),
        serverMs: per(processCpuMs(pid) - before.server),
        postgresMs: per(postgresCpuMs(postmaster) - before.postgres),
      };
    };
    // Compiles the code and fills the caches.
    await send(agentRun(randomBytes(16).toString("hex"), 300).map((span) => encodeOtlp(otlpTraces([span]))));
    resetPeakRss(pid);
    const startedAt = performance.now();
    const parts: Part[] = [];
    for (let at = 0; at < bodies.length; at += PART) parts.push(await send(bodies.slice(at, at + PART)));
    const tookS = (performance.now() - startedAt) / 1_000;
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last) throw new Error("no spans");
    const peakMib = peakRssMib(pid);

    const read = await readDerived(user.get, traceId);
    console.log(
      `${size} spans one by one in ${tookS.toFixed(1)} s: first thousand ${describe(first)}; last thousand ${describe(last)}; peak RSS ${peakMib.toFixed(0)} MiB; derived ${read.afterS.toFixed(1)} s after the last span`,
    );
    if (read.spans !== size) failures.push(`${size} spans: ${read.spans} stored`);
    if (read.status !== "COMPLETED") failures.push(`${size} spans: status ${read.status}`);
    const growth = (last.serverMs + last.postgresMs) / (first.serverMs + first.postgresMs);
    if (growth > MAX_GROWTH)
      failures.push(`${size} spans: the last thousand cost ${growth.toFixed(1)} × the first`);
    client.close();
    await killServer(server);
  }
});

function describe({ wallMs, serverMs, postgresMs }: Part): string {
  return `${wallMs.toFixed(2)} ms a span (CPU: server ${serverMs.toFixed(2)}, PostgreSQL ${postgresMs.toFixed(2)})`;
}

/** Reads the outline until the trace has its root's status. */
async function readDerived(
  get: (path: string) => Promise<{ json: { status: string; spans: unknown[] } }>,
  traceId: string,
) {
  const startedAt = performance.now();
  for (;;) {
    const { json } = await get(`/api/traces/${traceId}/outline`);
    const afterS = (performance.now() - startedAt) / 1_000;
    if (json.status === "COMPLETED" || afterS * 1_000 > DERIVED_WITHIN_MS)
      return { status: json.status, spans: json.spans.length, afterS };
    await sleep(500);
  }
}
