import { type DecisionFact, encodeDecisionFacts, MAX_FACTS_DECISIONS } from "@whytrace/contract";
import { boot } from "@whytrace/testing/boot.ts";
import { expectStatus } from "@whytrace/testing/client.ts";
import { decision, newSender, trace } from "@whytrace/testing/sample-traces.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { readNewestFacts } from "../read-newest-facts.ts";
import { addTraces } from "./add-traces.ts";
import { CHOICE_COUNTS } from "./count-columns.ts";
import { Tally } from "./tally.ts";

const { client, db } = await boot();

const fact = (position: number): DecisionFact => ({
  signature: 7,
  step: 9,
  type: "ROUTING",
  outcome: 0,
  position,
  costUsd: 1,
  durationMs: null,
});
const facts = encodeDecisionFacts({
  release: 0,
  decisions: Array.from({ length: MAX_FACTS_DECISIONS }, (_, position) => fact(position)),
  fingerprints: [],
});

it("reads traces with very many decisions a few at a time, and counts all of them", async () => {
  const user = await newSender(client, db);
  const startedAt = new Date().toISOString();
  const traces = Array.from({ length: 5 }, () => trace({ startedAt, decisionPoints: [decision()] }));
  expectStatus(await user.send(traces), 200);
  await sql`update traces set decision_facts = ${Buffer.from(facts)} where user_id = ${user.id}`.execute(db);
  const tally = new Tally();
  expect(await addTraces(db, tally, user.id, sql`true`)).toBe(5);
  expect(tally.choices.get(0, CHOICE_COUNTS.costs) + tally.choices.get(1, CHOICE_COUNTS.costs)).toBe(
    5 * MAX_FACTS_DECISIONS,
  );
  const range = { from: startedAt.slice(0, 10), to: "9998-01-01" };
  const newest = await readNewestFacts(db, user.id, { step: 9 }, range, 100);
  // Five would be 7.5 MB.
  expect(newest.map(({ decisions }) => decisions.length)).toEqual(Array(3).fill(MAX_FACTS_DECISIONS));
});
