import { interleave, MAX_DELAY_MS } from "@whytrace/testing/interleave.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { seededRandom, startFaultyProxy } from "@whytrace/testing/server/faulty-proxy.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";

const TRACES = volume(40, 20);

it("a stale snapshot never overwrites the final state, even if requests are delayed, lost or delivered late", async () => {
  const { server, client, db } = await boot();
  const sender = await newSender(client, db);
  const random = seededRandom(20_260_101);
  const proxy = await startFaultyProxy(server.url, random, MAX_DELAY_MS);
  const { recordings, stats } = await interleave(proxy, sender.key, { traces: TRACES, clients: 6, random });
  const sum = (field: "sent" | "snapshotsSent" | "dropped") =>
    stats.reduce((total, one) => total + one[field], 0);
  expect([sum("sent"), sum("dropped")]).toEqual([TRACES, 0]);
  expect(sum("snapshotsSent")).toBeGreaterThan(TRACES / 10);
  expect(proxy.faults.late).toBeGreaterThan(TRACES / 10);
  const stale = [];
  for (const { trace } of recordings) {
    const { json } = await sender.get(`/api/traces/${trace.id}`);
    if (json.status !== trace.status || json.spans.length !== trace.spans.length) stale.push(trace.id);
  }
  expect(stale).toEqual([]);
  await proxy.close();
});
