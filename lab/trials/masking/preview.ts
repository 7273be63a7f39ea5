// Previews the level personal on 1,000 stored conversations of 300 KB each. Passes if the preview looks at all of them within 20 s, and its
// first line comes within 1 s.
import { parseArgs } from "node:util";
import type { MaskingPreviewLine } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { generateTraces } from "../../bench/generate/generate.ts";
import { processCpuMs } from "../../bench/measure/cpu-time.ts";
import { writeBatch } from "../../bench/write-batch.ts";
import { peakRssMib, resetPeakRss, rssMib } from "../support/process-memory.ts";

const { values } = parseArgs({ options: { traces: { type: "string", default: "1000" } } });
const TRACES = Number(values.traces);
const BATCH_TRACES = 20;
const MAX_MS = 20_000;
const MAX_FIRST_LINE_MS = 1_000;
const MIB = 1024 * 1024;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const { version } = expectStatus(await tenant.user.get("/api/masking"), 200).json;
  expectStatus(await tenant.user.put("/api/masking", { version, level: "off", rules: [] }), 200);
  const sentBytes = await send(server.url, tenant);
  console.log(
    `${TRACES} traces of ${(sentBytes / TRACES / 1_000).toFixed(0)} KB, ${(sentBytes / MIB).toFixed(0)} MiB`,
  );

  const pid = server.child.pid ?? 0;
  const rssBefore = rssMib(pid);
  resetPeakRss(pid);
  const cpuBefore = processCpuMs(pid);
  const { lines, firstLineMs, totalMs } = await preview(server.url, tenant);
  const cpuMs = processCpuMs(pid) - cpuBefore;
  const result = lines.at(-1);
  if (result?.kind !== "result") throw new Error("the preview has no result");
  console.log(
    `previewed ${result.traces} in ${(totalMs / 1_000).toFixed(1)} s, the first line after ${firstLineMs.toFixed(0)} ms; ` +
      `${(cpuMs / 1_000).toFixed(1)} s of CPU of the server, ${(cpuMs / result.traces).toFixed(1)} ms a trace; ` +
      `${result.matchedTraces} with matches, ${result.leftOut} records left out; memory ${rssBefore.toFixed(0)} MiB, ` +
      `peak ${peakRssMib(pid).toFixed(0)} MiB`,
  );
  return result.traces === TRACES && totalMs <= MAX_MS && firstLineMs <= MAX_FIRST_LINE_MS;
});

/** Sends conversations and returns how many bytes they have. */
async function send(url: string, { key }: Tenant): Promise<number> {
  const [random, ids] = [new Random(1), new Random(2)];
  const toMs = Date.now();
  let bytes = 0;
  for (let sent = 0; sent < TRACES; sent += BATCH_TRACES) {
    const traces = generateTraces(random, {
      count: Math.min(BATCH_TRACES, TRACES - sent),
      size: "conversation",
      firstNumber: sent,
      ids,
      fromMs: toMs - (sent + BATCH_TRACES) * 1_000,
      toMs: toMs - sent * 1_000,
    });
    const body = writeBatch(traces);
    bytes += body.length;
    const { status, text } = await postBatch(url, key, body.toString());
    if (status !== 200) throw new Error(`${status}: ${text}`);
  }
  return bytes;
}

async function preview(url: string, { user }: Tenant) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/masking/preview`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: user.cookie ?? "" },
    body: JSON.stringify({ level: "personal", rules: [] }),
  });
  if (response.status !== 200 || !response.body)
    throw new Error(`${response.status}: ${await response.text()}`);
  let text = "";
  let firstLineMs = Number.POSITIVE_INFINITY;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("\n")) firstLineMs = Math.min(firstLineMs, performance.now() - startedAt);
  }
  const lines = text
    .trim()
    .split("\n")
    .map((line): MaskingPreviewLine => JSON.parse(line));
  return { lines, firstLineMs, totalMs: performance.now() - startedAt };
}
