import { hash32, hash32ToHex, type MapEdge, type Rate, type Stratum } from "@whytrace/contract";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { DecisionFacts } from "../decision-facts/decision-facts.ts";
import { decodeDecisionFacts } from "../decision-facts/decode-decision-facts.ts";
import { isFailedOutcome } from "../decision-facts/failed-outcome.ts";

const { client, db } = await boot();

const RANGE = "startedFrom=2026-03-01T00:00:00Z&startedTo=2026-03-08T00:00:00Z";
const COUNTED = "from=2026-03-01T00:00:00Z&to=2026-03-08T00:00:00Z";
const TYPES = ["TOOL_SELECTION", "ROUTING", "RETRY", "ESCALATION"] as const;
const OPTIONS = ["a", "b", "c"];

/** Numbers from 0 to 1, the same at each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Traces with up to seven decisions, whose options repeat, in a span that may fail. */
function randomTraces(count: number): object[] {
  const random = seeded(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, () => {
    const startMs = Date.UTC(2026, 2, 1 + Math.floor(random() * 7), 10);
    const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString();
    const status = pick(["COMPLETED", "COMPLETED", "ERROR", "ERROR", "RUNNING"]);
    const decisionPoints = Array.from({ length: Math.floor(random() * 8) }, (_, index) => {
      const chosen = pick(OPTIONS);
      const alternatives = OPTIONS.filter((option) => option !== chosen);
      const parentSpanId = random() < 0.5 ? "outer" : undefined;
      return decision({ type: pick(TYPES), chosen, alternatives, timestamp: at(index), parentSpanId });
    });
    const spans = [
      span({ id: "outer", startedAt: at(0), status: random() < 0.3 ? "ERROR" : "COMPLETED" }),
      span({
        parentSpanId: random() < 0.5 ? "outer" : undefined,
        startedAt: at(Math.floor(random() * 8)),
        status: random() < 0.5 ? "ERROR" : "COMPLETED",
        statusMessage: pick(["timeout", "refused", null]),
      }),
    ];
    const tags = pick([[], ["v1.0"], ["x", "release:2026-03"]]);
    return trace({ name: pick(["one", "two"]), tags, status, startedAt: at(0), spans, decisionPoints });
  });
}

interface Stored {
  id: string;
  name: string;
  status: string;
  facts: DecisionFacts;
}

let user: Sender;
let stored: Stored[];
beforeAll(async () => {
  user = await newSender(client, db);
  await user.send(randomTraces(250));
  const { rows } = await sql<{ id: string; name: string; status: string; decisionFacts: Buffer }>`
    select id, name, status, decision_facts from traces
    where workspace_id = ${user.workspaceId} and decision_facts is not null`.execute(db);
  stored = rows.flatMap(({ decisionFacts, ...row }) => {
    const facts = decodeDecisionFacts(decisionFacts);
    return facts ? [{ ...row, facts }] : [];
  });
});

async function listed(query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { json } = expectStatus(
      await user.get(`/api/traces?${RANGE}&${query}&limit=100&page=${page}`),
      200,
    );
    ids.push(...json.traces.map(({ id }: { id: string }) => id));
    if (ids.length === json.total || json.traces.length === 0) return ids.sort();
  }
}

const expected = (isListed: (one: Stored) => boolean) =>
  stored
    .filter(isListed)
    .map(({ id }) => id)
    .sort();

const allSteps = () => [...new Set(stored.flatMap(({ facts }) => facts.decisions.map(({ step }) => step)))];

/** What `outcome` means, by the outcome in the facts. */
const IS_OUTCOME = {
  failed: ({ type, outcome }: DecisionFacts["decisions"][number]) =>
    outcome !== 4 && isFailedOutcome(type, outcome),
  recovered: ({ outcome }: DecisionFacts["decisions"][number]) => outcome === 1,
  fine: ({ type, outcome }: DecisionFacts["decisions"][number]) =>
    outcome !== 4 && outcome !== 1 && !isFailedOutcome(type, outcome),
  open: ({ outcome }: DecisionFacts["decisions"][number]) => outcome === 4,
};

describe("the list of traces, filtered by what insights count,", () => {
  it("has exactly the traces of an agent, step and outcome", async () => {
    expect(await listed("agent=one")).toEqual(expected(({ name }) => name === "one"));
    expect(await listed("release=2026-03")).toEqual(
      expected(({ facts }) => facts.release === hash32("2026-03")),
    );
    for (const step of allSteps().slice(0, 6)) {
      const isChosen = (one: DecisionFacts["decisions"][number]) => one.step === step;
      const query = `step=${hash32ToHex(step)}`;
      expect(await listed(query)).toEqual(
        expected(({ facts }) => facts.decisions.some((one) => isChosen(one) && one.outcome !== 4)),
      );
      for (const [outcome, isOutcome] of Object.entries(IS_OUTCOME))
        expect(await listed(`${query}&stepOutcome=${outcome}&agent=two`)).toEqual(
          expected(
            ({ name, facts }) =>
              name === "two" && facts.decisions.some((one) => isChosen(one) && isOutcome(one)),
          ),
        );
    }
  });

  it("has exactly the traces in which a step came right after another, or first", async () => {
    const steps = allSteps();
    for (const [index, step] of steps.slice(0, 6).entries())
      for (const after of [0, steps[(index + 1) % steps.length] ?? 0, step])
        expect(await listed(`step=${hash32ToHex(step)}&after=${hash32ToHex(after)}`)).toEqual(
          expected(({ facts: { decisions } }) =>
            decisions.some(
              (one, at) => one.step === step && one.outcome !== 4 && (decisions[at - 1]?.step ?? 0) === after,
            ),
          ),
        );
  });

  it("has exactly the traces with an error, alone and together with a step", async () => {
    const fingerprints = [...new Set(stored.flatMap(({ facts }) => facts.fingerprints))];
    const [step = 0] = allSteps();
    expect(fingerprints.length).toBeGreaterThan(1);
    for (const fingerprint of fingerprints) {
      const has = ({ status, facts }: Stored) =>
        status !== "RUNNING" && facts.fingerprints.includes(fingerprint);
      expect(await listed(`fingerprint=${hash32ToHex(fingerprint)}`)).toEqual(expected(has));
      expect(await listed(`fingerprint=${hash32ToHex(fingerprint)}&step=${hash32ToHex(step)}`)).toEqual(
        expected((one) => has(one) && one.facts.decisions.some((decided) => decided.step === step)),
      );
    }
  });

  it("has as many traces as insights say, for each count", async () => {
    const totalOf = async (query: string) =>
      (await user.get(`/api/traces?${RANGE}&${query}&limit=1`)).json.total;
    const expectRuns = async (query: string, { runs, failedRuns, recoveredRuns }: Rate) =>
      expect([
        query,
        await totalOf(query),
        await totalOf(`${query}&stepOutcome=failed`),
        await totalOf(`${query}&stepOutcome=recovered`),
      ]).toEqual([query, runs, failedRuns, recoveredRuns]);
    const { rows } = (await user.get(`/api/insights/decisions?${COUNTED}&agent=one`)).json;
    expect(rows).toHaveLength(4);
    for (const { signature, options } of rows.slice(0, 3)) {
      for (const { step, rate } of options) await expectRuns(`agent=one&step=${step}`, rate);
      const { strata } = (await user.get(`/api/insights/decisions/${signature}?${COUNTED}`)).json;
      for (const { before, options: ofStratum } of strata.before.slice(0, 3) as Stratum[])
        for (const { step, rate } of ofStratum) await expectRuns(`step=${step}&after=${before}`, rate);
    }
    const { agents } = (await user.get(`/api/insights/agents?${COUNTED}`)).json;
    for (const { name, runs, failedRuns } of agents)
      expect([await totalOf(`agent=${name}`), await totalOf(`agent=${name}&status=ERROR`)]).toEqual([
        runs,
        failedRuns,
      ]);
    const { edges } = (await user.get(`/api/insights/map?${COUNTED}`)).json;
    for (const { from, to, runs, failedRuns } of edges.slice(0, 10) as MapEdge[])
      expect([
        await totalOf(`step=${to}&after=${from}`),
        await totalOf(`step=${to}&after=${from}&status=ERROR`),
      ]).toEqual([runs, failedRuns]);
  });

  it.each([
    ["step=xyz", "Invalid step parameter. Must be 8 hexadecimal digits."],
    ["step=0", "Invalid step parameter. Must be 8 hexadecimal digits."],
    ["step=00000001&after=1", "Invalid after parameter. Must be 8 hexadecimal digits, or 0."],
    ["stepOutcome=bad", "Invalid stepOutcome. Must be one of: failed, recovered, fine, open"],
  ])("refuses %s", async (query, error) => {
    expect(expectStatus(await user.get(`/api/traces?${query}`), 400).json.error).toBe(error);
  });

  it("has no trace of another user", async () => {
    const other = await newSender(client, db);
    const [step = 0] = allSteps();
    expect((await other.get(`/api/traces?step=${hash32ToHex(step)}`)).json.total).toBe(0);
  });
});
