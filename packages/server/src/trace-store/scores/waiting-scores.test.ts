import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { MAX_TRANSACTION_SECONDS } from "../../db/transaction.ts";
import { Live } from "../../live/live.ts";
import { sweepWaitingScores, WaitingScores } from "./waiting-scores.ts";

// The server's own worker does not take what a test leaves for its own.
const { client, db } = await boot({}, { pausesMs: { waitingScores: 3_600_000 } });

it("are deleted when their trace has not come 30 days after them; scores that count stay", async () => {
  const user = await newSender(client, db);
  const stored = trace();
  expectStatus(await user.send([stored]), 200);
  const score = (id: string, traceId = "not there") => ({ id, traceId, name: "helpful", value: true });
  expectStatus(
    await client.request("POST", "/api/scores", {
      body: { scores: [score("older"), score("younger"), score("counts", stored.id)] },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
  const setAge = (id: string, age: string) =>
    sql`
      update scores set created_at = now() - ${age}::interval
      where workspace_id = ${user.workspaceId} and id = ${id}`.execute(db);
  await setAge("older", "30 days 1 minute");
  await setAge("younger", "29 days 23 hours");
  await setAge("counts", "90 days");
  await sweepWaitingScores(db);
  const { scores } = expectStatus(await user.get("/api/scores"), 200).json;
  const left: { id: string; isWaiting: boolean }[] = scores;
  expect(left.map(({ id, isWaiting }) => [id, isWaiting]).sort()).toEqual([
    ["counts", false],
    ["younger", true],
  ]);
});

it("count although their transaction ended after the worker had looked, however long a transaction may take", async () => {
  const user = await newSender(client, db);
  const stored = trace();
  expectStatus(await user.send([stored]), 200);
  const post = async (id: string, traceId: string) =>
    expectStatus(
      await client.request("POST", "/api/scores", {
        body: { scores: [{ id, traceId, name: "helpful", value: true }] },
        headers: { authorization: `Bearer ${user.key}` },
      }),
      200,
    );
  await post("waits", "not there");
  await post("late", stored.id);
  const worker = new WaitingScores({ db, live: new Live(db) });
  const run = () => worker.run(new AbortController().signal);
  const isWaiting = async () => {
    const { rows } = await sql<{ isWaiting: boolean }>`
      select is_waiting from scores where workspace_id = ${user.workspaceId} and id = 'late'`.execute(db);
    return rows[0]?.isWaiting;
  };
  await run();
  const commitLate = (seconds: number) =>
    sql`update scores set is_waiting = true, created_at = now() - make_interval(secs => ${seconds})
      where workspace_id = ${user.workspaceId} and id = 'late'`.execute(db);
  await commitLate(MAX_TRANSACTION_SECONDS - 1);
  await run();
  expect(await isWaiting()).toBe(false);
  // What no transaction can have hidden was seen before: it costs no look.
  await run();
  await commitLate(3_600);
  await run();
  expect(await isWaiting()).toBe(true);
});
