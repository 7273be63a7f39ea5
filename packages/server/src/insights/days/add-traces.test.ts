import { decisionFact, decisionFacts } from "@whytrace/testing/samples/decision-facts.ts";
import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { MAX_FACTS_DECISIONS } from "../../decision-facts/decision-facts.ts";
import { encodeDecisionFacts } from "../../decision-facts/encode-decision-facts.ts";
import { readNewestFacts } from "../read-newest-facts.ts";
import { addTraces } from "./add-traces.ts";
import { COUNTS } from "./count-columns.ts";
import { Tally } from "./tally.ts";

const { client, db } = await boot();

const facts = encodeDecisionFacts(
  decisionFacts({
    decisions: Array.from({ length: MAX_FACTS_DECISIONS }, (_, position) =>
      decisionFact({ signature: 7, step: 9, type: "ROUTING", position, costUsd: 1 }),
    ),
  }),
);

it("reads traces with very many decisions a few at a time, and counts all of them", async () => {
  const user = await newSender(client, db);
  const startedAt = new Date().toISOString();
  const traces = Array.from({ length: 5 }, () => trace({ startedAt, decisionPoints: [decision()] }));
  expectStatus(await user.send(traces), 200);
  await sql`update traces set decision_facts = ${Buffer.from(facts)} where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  const tally = new Tally();
  expect(await addTraces(db, tally, user.workspaceId, sql`true`)).toBe(5);
  expect(tally.choices.get(0, COUNTS.fine)).toBe(5 * MAX_FACTS_DECISIONS);
  const range = { from: startedAt.slice(0, 10), to: "9998-01-01" };
  const newest = await readNewestFacts(db, user.workspaceId, { step: 9 }, range, 100);
  // Five would be 7.5 MB.
  expect(newest.map(({ decisions }) => decisions.length)).toEqual(Array(3).fill(MAX_FACTS_DECISIONS));
});
