import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { sweepWaitingScores } from "./waiting-scores.ts";

const { client, db } = await boot();

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
