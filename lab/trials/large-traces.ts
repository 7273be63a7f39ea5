import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { postBatch } from "@whytrace/testing/trial.ts";

const RETRY_PAUSE_MS = 1_000;
export const LARGE_METADATA_BYTES = 9 * 1024 * 1024;

/** Stores traces with 9 MiB of metadata each, as fast as the limit of bytes per minute allows. */
export async function storeLargeTraces(url: string, key: string, count: number) {
  for (let n = 0; n < count; n += 1) {
    const metadata = "0123456789abcdef".repeat(LARGE_METADATA_BYTES / 16);
    const large = trace({ id: `large-${n}`, startedAt: "2026-03-01T00:00:00.000Z", metadata });
    const body = JSON.stringify({ traces: [large] });
    let response = await postBatch(url, key, body);
    for (; response.status === 429; response = await postBatch(url, key, body)) await sleep(RETRY_PAUSE_MS);
    if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  }
}
