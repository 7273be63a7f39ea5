import { spanOverhead } from "@whytrace/testing/span-overhead.ts";
import { expect, it } from "vitest";
import { useTestClient } from "../test/use-test-client.ts";
import { startTrace, stats } from "./index.ts";

it("recording a span takes less than 0.1 ms (p99) and the queue stays within its limit while the server is unreachable", async () => {
  useTestClient(
    { url: "http://127.0.0.1:9", apiKey: "wt_test" },
    { retryDelayMs: 500, maxQueued: { trace: 200, score: 200 } },
  );
  // Other programs on a busy machine slow down single rounds, so the best of several rounds counts.
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 && best >= 0.1; round++) {
    const times: number[] = [];
    for (let number = 0; number < 100; number++) {
      const t = startTrace("busy");
      for (let step = 0; step < 20; step++) times.push(spanOverhead(t));
      t.end();
      if (number % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    times.sort((a, b) => a - b);
    best = Math.min(best, times[Math.floor(times.length * 0.99)] ?? 0);
  }
  expect(best).toBeLessThan(0.1);
  record(500);
  const { queued, dropped, sent } = stats();
  expect([queued, sent]).toEqual([200, 0]);
  expect(dropped).toBeGreaterThanOrEqual(400);
});

function record(count: number): void {
  for (let number = 0; number < count; number++) startTrace("more").end();
}
