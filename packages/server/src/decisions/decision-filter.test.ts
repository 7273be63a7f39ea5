import { optionName } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeDecisionFacts } from "../decision-facts/decode-decision-facts.ts";
import { isFailedOutcome } from "../decision-facts/failed-outcome.ts";

const { client, db } = await boot();
const random = new Random(5);
const oneOf = <T>(values: readonly T[]): T => values[random.between(0, values.length - 1)] as T;
const TYPES = ["TOOL_SELECTION", "ROUTING", "RETRY", "ESCALATION"];
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString();

const randomTrace = () =>
  trace({
    name: oneOf(["one", "two", "run 1234"]),
    status: oneOf(["COMPLETED", "ERROR", "ERROR", "RUNNING"]),
    startedAt: at(0),
    spans: [span({ startedAt: at(random.between(0, 60)), status: oneOf(["COMPLETED", "ERROR"]) })],
    decisionPoints: Array.from({ length: random.between(0, 5) }, () =>
      decision({
        type: oneOf(TYPES),
        chosen: oneOf(["a", "b", { tool: "c" }]),
        timestamp: at(random.between(0, 60)),
      }),
    ),
  });

interface Decision {
  id: string;
  traceId: string;
  type: string;
  chosen: unknown;
  inferred: boolean;
  timestamp: string;
  trace: { name: string };
}
interface Known extends Decision {
  outcome: string;
}

let user: Sender;
let stored: Known[];
beforeAll(async () => {
  user = await newSender(client, db);
  await user.send(Array.from({ length: 80 }, randomTrace));
  await sendOtlp(client, user.key, otlpTraces(agentRun(otlpId(16), 60)));
  const outcomes = new Map<string, string>();
  const { rows } = await sql<{ id: string; decisionFacts: Buffer }>`
    select id, decision_facts from traces where workspace_id = ${user.workspaceId} and decision_facts is not null`.execute(
    db,
  );
  for (const { id, decisionFacts } of rows)
    for (const { position, type, outcome } of decodeDecisionFacts(decisionFacts)?.decisions ?? []) {
      const isFailed = isFailedOutcome(type, outcome);
      const words = outcome === 4 ? "open" : isFailed ? "failed" : outcome === 1 ? "recovered" : "fine";
      outcomes.set(`${id} ${position}`, words);
    }
  const { rows: positions } = await sql<{ traceId: string; id: string; position: number }>`
    select trace_id, id, position from decision_points where workspace_id = ${user.workspaceId}`.execute(db);
  const all = await readAll("");
  stored = all.map((one) => {
    const { position } = positions.find(({ traceId, id }) => traceId === one.traceId && id === one.id) ?? {};
    return { ...one, outcome: outcomes.get(`${one.traceId} ${position}`) ?? "unknown" };
  });
});

async function readAll(query: string): Promise<Decision[]> {
  const found: Decision[] = [];
  for (let page = 1; ; page += 1) {
    const { json } = expectStatus(await user.get(`/api/decisions?limit=100&page=${page}&${query}`), 200);
    found.push(...json.decisions);
    if (json.decisions.length === 0 || found.length >= json.total) {
      expect(found).toHaveLength(json.total);
      return found;
    }
  }
}

const FILTERS: Record<string, [values: string[], matches: (one: Known, value: string) => boolean]> = {
  type: [TYPES, ({ type }, value) => type === value],
  choice: [["a", "c", "none"], ({ chosen }, value) => optionName(chosen) === value],
  agent: [
    ["one", "run 9876", "run #"],
    ({ trace }, value) => trace.name.replace(/\d{3,}/, "#") === value.replace(/\d{3,}/, "#"),
  ],
  outcome: [["failed", "recovered", "fine", "open"], ({ outcome }, value) => outcome === value],
  inferred: [["true", "false"], ({ inferred }, value) => String(inferred) === value],
  from: [[at(20), at(40)], ({ timestamp }, value) => timestamp >= value],
  to: [[at(21), at(40)], ({ timestamp }, value) => timestamp < value],
};

const keyOf = ({ traceId, id }: Decision) => `${traceId} ${id}`;
async function expectExact(filters: [string, string][], sort: string) {
  const found = await readAll(`${new URLSearchParams([...filters, ["sort", sort]])}`);
  const expected = stored.filter((one) => filters.every(([name, value]) => FILTERS[name]?.[1](one, value)));
  expect([filters, found.map(keyOf).sort()]).toEqual([filters, expected.map(keyOf).sort()]);
  const times = found.map(({ timestamp }) => timestamp);
  if (sort !== "costliest") expect(sort === "newest" ? times.reverse() : times).toEqual([...times].sort());
  return expected.length;
}

describe("filters of decisions", () => {
  it("list exactly the decisions that match, each alone", async () => {
    for (const [name, [values]] of Object.entries(FILTERS))
      for (const value of values) {
        const count = await expectExact([[name, value]], "newest");
        expect([name, value, count > 0]).toEqual([name, value, value !== "none"]);
      }
  });

  it("list exactly the decisions that match, in any combination and order", async () => {
    for (let n = 0; n < 50; n += 1) {
      const names = new Set(Array.from({ length: random.between(2, 4) }, () => oneOf(Object.keys(FILTERS))));
      const filters = [...names].map((name): [string, string] => [name, oneOf(FILTERS[name]?.[0] ?? [])]);
      await expectExact(filters, oneOf(["newest", "oldest", "costliest"]));
    }
  });

  it.each([
    ["outcome=bad", "Invalid outcome. Must be one of: failed, recovered, fine, open"],
    ["inferred=yes", "Invalid inferred. Must be one of: true, false"],
    ["from=yesterday", "Invalid from parameter. Must be a valid ISO date string."],
    ["to=1&to=2", "Invalid to parameter. Must be a valid ISO date string."],
  ])("refuse %s", async (query, error) => {
    expect(expectStatus(await user.get(`/api/decisions?${query}`), 400).json).toEqual({ error });
  });

  it("find no decision of another user", async () => {
    const other = await newSender(client, db);
    for (const [name, [values]] of Object.entries(FILTERS))
      for (const value of values)
        expect((await other.get(`/api/decisions?${new URLSearchParams([[name, value]])}`)).json.total).toBe(
          0,
        );
  });
});
