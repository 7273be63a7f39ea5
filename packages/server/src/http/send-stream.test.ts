import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, expect, it, vi } from "vitest";
import { RecentCallers } from "../concurrency/recent-callers.ts";
import { readConfig } from "../config.ts";
import { Metrics } from "./metrics.ts";
import { ReadBudget } from "./read-budget.ts";
import { sendStream } from "./send-stream.ts";

const config = readConfig({ DATABASE_URL: "postgres://localhost/none" });
const budget = new ReadBudget(config, new Metrics(), new RecentCallers());
const PIECES = 2_000;
const SLOW_CHUNKS = 5;
const SLOW_MS = 20;
let endPermission = () => {};
let watches = 0;

async function* chunks() {
  yield Array.from({ length: PIECES }, () => Buffer.alloc(1_000, "x"));
}
async function* endlessChunks() {
  for (;;) yield [Buffer.alloc(100_000, "x")];
}

async function* slowChunks() {
  for (let chunk = 0; chunk < SLOW_CHUNKS; chunk += 1) {
    await sleep(SLOW_MS);
    yield [Buffer.from("x")];
  }
}

const app = Fastify();
afterAll(() => app.close());
const respond = (path: string, read: () => AsyncGenerator<Buffer[]>) =>
  app.get(path, (_request, reply) =>
    sendStream(reply, {
      contentType: "text/plain",
      budget,
      caller: "workspace",
      permission: (end) => {
        endPermission = end;
        watches += 1;
        return () => {
          watches -= 1;
        };
      },
      chunks: read(),
    }),
  );
respond("/pieces", chunks);
respond("/endless", endlessChunks);
respond("/slow", slowChunks);
const url = await app.listen({ port: 0 });

it("lets other requests run between the pieces of a chunk", async () => {
  let iterations = 0;
  let isDone = false;
  const count = () => {
    iterations += 1;
    if (!isDone) setImmediate(count);
  };
  const response = await fetch(`${url}/pieces`);
  count();
  const { length } = await response.text();
  isDone = true;
  expect(length).toBe(PIECES * 1_000);
  expect(iterations).toBeGreaterThan((PIECES * 1_000) / 64_000 / 2);
  expect(watches).toBe(0);
});

it("closes the connection of a long response, and keeps that of a short one", async () => {
  const connectionOf = async (path: string) => {
    const response = await fetch(url + path);
    await response.arrayBuffer();
    return response.headers.get("connection");
  };
  expect(await connectionOf("/pieces")).toBe("close");
  expect(await connectionOf("/slow")).toBe("keep-alive");
});

it("is cut when what permits it ends, and holds no memory after that", async () => {
  const response = await fetch(`${url}/endless`);
  const reading = (async () => {
    for await (const _ of response.body ?? []);
  })();
  setTimeout(() => endPermission(), 50);
  await expect(reading).rejects.toThrow("terminated");
  await expect.poll(() => [watches, budget.memory.heldBytes]).toEqual([0, 0]);
});

it("pauses for as long as the budget says after each chunk but the first, given how long it worked", async () => {
  const pauses = vi.spyOn(budget, "pauseMs");
  expect(await (await fetch(`${url}/slow`)).text()).toBe("x".repeat(SLOW_CHUNKS));
  const workMs = pauses.mock.calls.map(([, ms = 0]) => ms);
  expect(workMs).toHaveLength(SLOW_CHUNKS);
  // A timer may fire a little early.
  expect(workMs.slice(1).every((ms) => ms >= SLOW_MS - 2)).toBe(true);
  pauses.mockRestore();
});
