import { gzipSync } from "node:zlib";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";

const MIB = 1024 * 1024;
const CONNECTIONS = volume(40);
/** More than any request may have, in 200 kB. */
const TOO_MUCH = gzipSync(Buffer.alloc(200 * MIB, 0x20));

it("compressed bodies take no more memory than requests may hold, however many arrive at once, and others are served", async () => {
  const { client, db } = await boot({ INGEST_MEMORY_MIB: "64", INGEST_MIB_PER_MINUTE: "100000" });
  const [attacker, other] = [await newSender(client, db), await newSender(client, db)];
  const headers = {
    authorization: `Bearer ${attacker.key}`,
    "content-type": "application/json",
    "content-encoding": "gzip",
  };
  const before = process.memoryUsage().rss;
  let mostBytes = 0;
  let isOver = false;
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage().rss - before);
  }, 5);
  const flood = Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const { status } = await fetch(`${client.url}/v1/traces`, {
        method: "POST",
        headers,
        body: new Uint8Array(TOO_MUCH),
      });
      expect([413, 503, 429]).toContain(status);
    }),
  ).finally(() => {
    isOver = true;
  });
  let stored = 0;
  while (!isOver) {
    expect((await other.send([trace()])).status).toBe(200);
    stored += 1;
  }
  await flood;
  clearInterval(watch);
  expect(stored).toBeGreaterThan(0);
  expect(mostBytes).toBeLessThan(500 * MIB);
});

it("compressed bodies count with what decompressing them costs, also if they are refused", async () => {
  const { client, db } = await boot({ INGEST_MIB_PER_MINUTE: "1" });
  const { key } = await newSender(client, db);
  const headers = { authorization: `Bearer ${key}`, "content-encoding": "gzip" };
  const send = async (body: Buffer) =>
    (await fetch(`${client.url}/api/traces`, { method: "POST", headers, body: new Uint8Array(body) })).status;
  const statuses: number[] = [];
  for (let sent = 0; sent < 8; sent += 1) statuses.push(await send(TOO_MUCH));
  expect(statuses.slice(0, 2)).toEqual([413, 413]);
  expect(statuses.at(-1)).toBe(429);
});

it("compressed bodies that come at once are admitted one after the other, by what those before have cost", async () => {
  const { client, db } = await boot({ INGEST_MIB_PER_MINUTE: "8" });
  const { key } = await newSender(client, db);
  const headers = { authorization: `Bearer ${key}`, "content-encoding": "gzip" };
  const blanks = new Uint8Array(gzipSync(Buffer.alloc(9 * MIB, 0x20)));
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const response = await fetch(`${client.url}/api/traces`, { method: "POST", headers, body: blanks });
      return response.status;
    }),
  );
  expect(statuses).toContain(400);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(4);
});
