import Fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { RecentUsers } from "../concurrency/recent-users.ts";
import { readConfig } from "../config.ts";
import { Metrics } from "./metrics.ts";
import { ReadBudget } from "./read-budget.ts";
import { sendStream } from "./send-stream.ts";

const config = readConfig({ DATABASE_URL: "postgres://localhost/none" });
const budget = new ReadBudget(config, new Metrics(), new RecentUsers());
const PIECES = 2_000;
let endPermission = () => {};
let watches = 0;

async function* chunks() {
  yield Array.from({ length: PIECES }, () => Buffer.alloc(1_000, "x"));
}
async function* endlessChunks() {
  for (;;) yield [Buffer.alloc(100_000, "x")];
}

const app = Fastify();
afterAll(() => app.close());
const respond = (path: string, read: () => AsyncGenerator<Buffer[]>) =>
  app.get(path, (_request, reply) =>
    sendStream(reply, {
      contentType: "text/plain",
      budget,
      userId: "user",
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
const url = await app.listen({ port: 0 });

it("lets other requests run between the pieces of a chunk", async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  const response = await fetch(`${url}/pieces`);
  count();
  const { length } = await response.text();
  isDone = true;
  expect(length).toBe(PIECES * 1_000);
  expect(turns).toBeGreaterThan((PIECES * 1_000) / 64_000 / 2);
  expect(watches).toBe(0);
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
