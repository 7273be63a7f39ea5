import { optionName } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();
const random = new Random(11);
const oneOf = <T>(values: readonly T[]): T => values[random.between(0, values.length - 1)] as T;

const NAMES = ["refund agent", "order 1234 agent", "order 5678 agent"];
const ENVIRONMENTS = ["prod", "staging", 7, true, null, "a=b, c"];
const TYPES = ["TOOL_SELECTION", "ROUTING", "RETRY"];
const OPTIONS = ["search", "cache", { tool: "é\u{1f600}" }];

const randomTrace = (id: string) =>
  trace({
    id,
    name: oneOf(NAMES),
    status: oneOf(["COMPLETED", "ERROR", "RUNNING"]),
    tags: [oneOf(["a", "b"])],
    startedAt: new Date(Date.UTC(2026, 2, 1, 0, 0, random.between(0, 100_000))).toISOString(),
    totalCost: oneOf([null, 0, 0.25, random.next()]),
    totalDuration: oneOf([null, 0, random.between(1, 5_000)]),
    metadata: oneOf([
      { env: oneOf(ENVIRONMENTS), "k.with.dots": oneOf(["x", "y"]) },
      { env: { nested: "prod" }, user: `u-${random.between(0, 3)}` },
      ["prod"],
      null,
    ]),
    spans: Array.from({ length: random.between(0, 4) }, () =>
      span({ status: oneOf(["COMPLETED", "ERROR"]), metadata: { model: oneOf(["gpt-4o", "o3"]) } }),
    ),
    decisionPoints: Array.from({ length: random.between(0, 3) }, () =>
      decision({ type: oneOf(TYPES), chosen: oneOf(OPTIONS) }),
    ),
  });

interface WholeTrace {
  id: string;
  name: string;
  status: string;
  tags: string[];
  startedAt: string;
  totalCost: number | null;
  totalDuration: number | null;
  metadata: unknown;
  spans: { status: string; model: string | null }[];
  decisionPoints: { type: string; chosen: unknown }[];
}

let user: Sender;
let stored: WholeTrace[];
beforeAll(async () => {
  user = await newSender(client, db);
  const ids = Array.from({ length: 150 }, (_, n) => `trace-${n}`);
  await user.send(ids.map(randomTrace));
  // Some are replaced, and some merged with spans that come by OpenTelemetry.
  await user.send(ids.slice(0, 40).map(randomTrace));
  const otlpIds = [otlpId(16), otlpId(16)];
  await user.send(otlpIds.slice(1).map(randomTrace));
  for (const id of otlpIds) expectStatus(await sendOtlp(client, user.key, otlpTraces(agentRun(id, 12))), 200);
  stored = [];
  for (const id of [...ids, ...otlpIds])
    stored.push(expectStatus(await user.get(`/api/traces/${id}`), 200).json);
});

const hasValue = ({ metadata }: WholeTrace, key: string, value: string) =>
  typeof metadata === "object" &&
  metadata !== null &&
  !Array.isArray(metadata) &&
  Object.entries(metadata).some(
    ([name, one]) => name === key && (typeof one !== "object" || one === null) && String(one) === value,
  );
const isChosen = (chosen: unknown, name: string) => optionName(chosen) === name;

/** Each filter with the values that are tried, and what it means. */
const FILTERS: Record<string, [values: string[], matches: (one: WholeTrace, value: string) => boolean]> = {
  status: [["ERROR", "COMPLETED"], (one, value) => one.status === value],
  tags: [["a"], (one, value) => one.tags.includes(value)],
  model: [["gpt-4o", "o3", "none"], (one, value) => one.spans.some(({ model }) => model === value)],
  costFrom: [
    ["0", "0.25", ".5", "1e-1"],
    (one, value) => one.totalCost !== null && one.totalCost >= Number(value),
  ],
  costTo: [["0", "0.25", "0.9"], (one, value) => one.totalCost !== null && one.totalCost <= Number(value)],
  durationFrom: [
    ["0", "1", "2500"],
    (one, value) => one.totalDuration !== null && one.totalDuration >= Number(value),
  ],
  durationTo: [
    ["0", "2500.5"],
    (one, value) => one.totalDuration !== null && one.totalDuration <= Number(value),
  ],
  errorsFrom: [
    ["0", "1", "2", "3", "99999999999"],
    (one, value) => one.spans.filter(({ status }) => status === "ERROR").length >= Number(value),
  ],
  "metadata.env": [
    ["prod", "7", "true", "null", "a=b, c", "[object Object]"],
    (one, value) => hasValue(one, "env", value),
  ],
  "metadata.k.with.dots": [["x"], (one, value) => hasValue(one, "k.with.dots", value)],
  "metadata.user": [["u-1", "u-2"], (one, value) => hasValue(one, "user", value)],
  agent: [
    ["refund agent", "order # agent", "order 9999 agent"],
    (one, value) =>
      one.decisionPoints.length > 0 && one.name.replace(/\d+/, "#") === value.replace("9999", "#"),
  ],
  choiceType: [TYPES, (one, value) => one.decisionPoints.some(({ type }) => type === value)],
  decided: [["yes", "no"], (one, value) => (one.decisionPoints.length > 0 ? "yes" : "no") === value],
  choice: [
    ["search", "cache", "é\u{1f600}", "none"],
    (one, value) => one.decisionPoints.some(({ chosen }) => isChosen(chosen, value)),
  ],
};

const SORTS: Record<string, (one: WholeTrace) => number | null> = {
  newest: ({ startedAt }) => -Date.parse(startedAt),
  oldest: ({ startedAt }) => Date.parse(startedAt),
  longest: ({ totalDuration }) => totalDuration && -totalDuration,
  shortest: ({ totalDuration }) => totalDuration,
  costliest: ({ totalCost }) => totalCost && -totalCost,
};

function expectedIds(filters: [string, string][], sort: string): string[] {
  const { choice, choiceType } = Object.fromEntries(filters);
  const key = SORTS[sort] ?? (() => 0);
  const byId = (a: string, b: string) => (a < b ? -1 : 1) * (sort === "newest" ? -1 : 1);
  return stored
    .filter((one) => filters.every(([name, value]) => FILTERS[name]?.[1](one, value)))
    .filter(
      (one) =>
        !(choice && choiceType) ||
        one.decisionPoints.some(({ type, chosen }) => type === choiceType && isChosen(chosen, choice)),
    )
    .sort(
      (a, b) =>
        (key(a) ?? Number.POSITIVE_INFINITY) - (key(b) ?? Number.POSITIVE_INFINITY) || byId(a.id, b.id),
    )
    .map(({ id }) => id);
}

async function listed(filters: [string, string][], sort: string): Promise<string[]> {
  const query = new URLSearchParams([...filters, ["sort", sort], ["limit", "100"]]);
  const pages = await Promise.all(
    [1, 2].map(async (page) => expectStatus(await user.get(`/api/traces?${query}&page=${page}`), 200).json),
  );
  const ids = pages.flatMap(({ traces }) => traces.map(({ id }: { id: string }) => id));
  expect(pages[0].total).toBe(ids.length);
  return ids;
}

describe("filters of traces", () => {
  it("list exactly the traces that match, each alone", async () => {
    for (const [name, [values]] of Object.entries(FILTERS))
      for (const value of values)
        expect([name, value, await listed([[name, value]], "newest")]).toEqual([
          name,
          value,
          expectedIds([[name, value]], "newest"),
        ]);
  });

  it("list exactly the traces that match, in any combination and order", async () => {
    let found = 0;
    for (let n = 0; n < 60; n += 1) {
      const names = new Set(Array.from({ length: random.between(2, 3) }, () => oneOf(Object.keys(FILTERS))));
      const filters = [...names].map((name): [string, string] => [name, oneOf(FILTERS[name]?.[0] ?? [])]);
      const sort = oneOf(Object.keys(SORTS));
      const expected = expectedIds(filters, sort);
      expect([filters, sort, await listed(filters, sort)]).toEqual([filters, sort, expected]);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(200);
  });

  it.each([
    ["costFrom=-1", "Invalid costFrom parameter. Must be a number of at least 0."],
    ["costTo=1e999", "Invalid costTo parameter. Must be a number of at least 0."],
    ["durationFrom=1s", "Invalid durationFrom parameter. Must be a number of at least 0."],
    ["durationTo=1&durationTo=2", "Invalid durationTo parameter. Must be a number of at least 0."],
    ["errorsFrom=1.5", "Invalid errorsFrom parameter. Must be an integer of at least 0."],
    ["metadata=env", expect.stringMatching(/^Invalid metadata parameter\. Must be metadata\.<key>=<value>/)],
    ["metadata.=x", expect.stringContaining("Invalid metadata parameter")],
    ["metadata.a=1&metadata.a=2", expect.stringContaining("each once")],
    [`metadata.a=${"x".repeat(201)}`, expect.stringContaining("values of at most 200 characters")],
    [
      Array.from({ length: 11 }, (_, n) => `metadata.k${n}=1`).join("&"),
      expect.stringContaining("at most 10"),
    ],
  ])("refuse %s", async (query, error) => {
    expect(expectStatus(await user.get(`/api/traces?${query}`), 400).json).toEqual({ error });
  });

  it("ignore empty values", async () => {
    const { json } = await user.get("/api/traces?metadata.env=&costFrom=&errorsFrom=");
    expect(json.total).toBe(stored.length);
  });

  it("have values to choose from: those of the newest traces, of this user only", async () => {
    const valuesOf = async (field: string, of = user) =>
      expectStatus(await of.get(`/api/filter-values?field=${field}`), 200).json.values;
    expect(await valuesOf("agent")).toEqual(expect.arrayContaining(["refund agent", "order # agent"]));
    expect(await valuesOf("model")).toEqual(expect.arrayContaining(["gpt-4o", "o3"]));
    expect(await valuesOf("metadata")).toEqual(expect.arrayContaining(["env=prod", "user=u-1"]));
    expect(await valuesOf("choice")).toEqual(expect.arrayContaining(["search", "cache"]));
    expect((await valuesOf("tag")).slice(0, 2).sort()).toEqual(["a", "b"]);
    expect(await valuesOf("session")).toEqual(expect.any(Array));
    const other = await newSender(client, db);
    for (const field of ["agent", "model", "tag", "session", "metadata", "choice"])
      expect(await valuesOf(field, other)).toEqual([]);
    expect(expectStatus(await user.get("/api/filter-values?field=x"), 400).json.error).toBe(
      "Invalid field. Must be one of: agent, model, tag, session, metadata, choice",
    );
  });
});
