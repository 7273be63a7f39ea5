import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type ParsedDecisionPoint, RawJson } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { readLogs, readTraces } from "../decode/read-otlp.ts";
import { mapLog } from "../map/map-log.ts";
import { mapSpan } from "../map/map-span.ts";
import type { MappedSpan } from "../map/mapped-span.ts";
import { deriveTrace } from "./derive-trace.ts";

/** Requests of real instrumentations, and what has to become of them. They are not part of the repository. */
const FIXTURES = new URL("../../../../../../shared/otlp/fixtures/", import.meta.url);
const names = existsSync(FIXTURES) ? readdirSync(FIXTURES) : [];

interface Expected {
  traces: ExpectedTrace[];
}
interface ExpectedTrace {
  traceId: string;
  name: string;
  sessionId: string | null;
  status: string;
  tags: string[];
  totalTokens: number | null;
  spans: ({ spanId: string; pricing?: ExpectedPricing; droppedAttributes?: number } & Record<
    string,
    unknown
  >)[];
  decisions: ExpectedDecision[];
  errorEvents: { span: string; message: string }[];
}
interface ExpectedPricing {
  model: string;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}
interface ExpectedDecision {
  type: string;
  chosen: string | number;
  question?: string;
  arguments?: unknown;
  alternatives: string[];
  alternativesKnown: boolean;
  reasoning: string | null;
  parentSpanId: string;
}

const bytes = (path: string) => readFileSync(new URL(path, FIXTURES));

async function readFixture(name: string) {
  const files = readdirSync(new URL(`${name}/`, FIXTURES)).filter((file) => /^request-\d+\.json$/.test(file));
  const requests = await Promise.all(files.map((file) => readTraces(bytes(`${name}/${file}`), "json")));
  const spans = requests.flatMap((request) => request.spans);
  const { traces }: Expected = JSON.parse(String(bytes(`${name}/expected.json`)));
  return traces.map((trace) => ({
    expected: trace,
    mapped: spans.filter(({ traceId }) => traceId === trace.traceId).map(mapSpan),
    sent: new Map(spans.map((span) => [span.spanId, span])),
  }));
}
type Fixture = Awaited<ReturnType<typeof readFixture>>[number];

/** A payload as it is read back. */
const stored = (value: unknown): unknown =>
  value instanceof RawJson ? JSON.parse(String(Buffer.from(value.bytes))) : value;

const optionName = (option: unknown) =>
  String(typeof option === "object" && option !== null && "name" in option ? option.name : option);
const argumentsOf = (option: unknown) =>
  typeof option === "object" && option !== null && "arguments" in option ? option.arguments : {};

/** What the agent of the captures was asked and answered. */
const [QUESTION, ANSWER] = ["Where is my order A-1001?", "is in transit"];

function shownSpan({ span }: MappedSpan, wanted: Record<string, unknown>) {
  const holds = (value: unknown, part: string) => JSON.stringify(stored(value)).includes(part);
  const shown: Record<string, unknown> = {
    ...span,
    isAsked: holds(span.input, QUESTION),
    isAnswered: holds(span.output, ANSWER),
  };
  if ("costUsd" in wanted) shown.costUsd = expect.closeTo(Number(span.costUsd), 9);
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, shown[key]]));
}

function wantedSpan(
  { spanId, pricing, droppedAttributes, ...fields }: ExpectedTrace["spans"][number],
  sent: Fixture["sent"],
) {
  const span = sent.get(spanId);
  const text = JSON.stringify([
    [...(span?.attributes ?? [])],
    span?.events.map((event) => [...event.attributes]),
  ]);
  const isCall = fields.type === "LLM_CALL";
  return {
    ...fields,
    ...(isCall && text.includes(QUESTION) && { isAsked: true }),
    ...(isCall && text.includes(ANSWER) && { isAnswered: true }),
    startedAt: Math.floor(span?.startMs ?? 0),
    endedAt: Math.floor(span?.endMs ?? 0),
  };
}

function shownDecision(decision: ParsedDecisionPoint, sent: Fixture["sent"]) {
  const { startMs = 0, endMs = 0 } = sent.get(decision.parentSpanId ?? "") ?? {};
  return {
    type: decision.type,
    chosen: optionName(decision.chosen),
    arguments: argumentsOf(decision.chosen),
    alternatives: Array.isArray(decision.alternatives) ? decision.alternatives.map(optionName).sort() : null,
    reasoning: decision.reasoning,
    parentSpanId: decision.parentSpanId,
    inference: decision.inference ?? null,
    isWithinSpan: decision.timestamp >= Math.floor(startMs) && decision.timestamp <= endMs,
  };
}

const wantedDecision = (decision: ExpectedDecision) => ({
  type: decision.type,
  chosen: String(decision.chosen),
  arguments: decision.arguments ?? {},
  alternatives: [...decision.alternatives].sort(),
  reasoning: decision.reasoning,
  parentSpanId: decision.parentSpanId,
  inference: decision.question ? null : { alternativesKnown: decision.alternativesKnown },
  isWithinSpan: true,
});

const errorsOf = (mapped: MappedSpan[]) =>
  mapped
    .flatMap(({ span, events }) =>
      events.filter(({ type }) => type === "ERROR").map((event) => ({ span, event })),
    )
    .map(({ span, event }) => {
      const metadata = stored(event.metadata);
      const message = Object(metadata)["exception.message"];
      return `${span.name}: ${String(message).split("\n")[0]}`;
    })
    .sort();

/** The order of a span's place in a shuffle, from a seed: the same in every run. */
function shuffled<Item>(items: Item[], seed: number): Item[] {
  let state = seed;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

describe.skipIf(names.length === 0)("captured traces become what is expected of them", () => {
  for (const name of names)
    it(name, async () => {
      for (const { expected, mapped, sent } of await readFixture(name)) {
        const facts = mapped.map((span) => span.facts);
        const derived = deriveTrace(facts, []);
        const times = facts.map(({ startMs, endMs }) => [startMs, endMs] as const);
        const [startedAt, endedAt] = [
          Math.min(...times.map(([start]) => start)),
          Math.floor(Math.max(...times.map(([, end]) => end))),
        ];
        const label = `${expected.name} ${expected.traceId}`;
        const { decisionPoints, completions, loggedEvents } = derived;
        expect({ ...derived, tags: [...derived.tags].sort() }, label).toMatchObject({
          name: expected.name,
          sessionId: expected.sessionId,
          status: expected.status,
          tags: [...expected.tags].sort(),
          totalTokens: expected.totalTokens,
          startedAt,
          endedAt,
          totalDuration: endedAt - startedAt,
        });
        const wanted = new Map(expected.spans.map((span) => [span.spanId, wantedSpan(span, sent)]));
        expect(
          Object.fromEntries(
            mapped.map((span) => [span.span.id, shownSpan(span, wanted.get(span.span.id) ?? {})]),
          ),
          label,
        ).toEqual(Object.fromEntries(wanted));
        expect(
          decisionPoints.map((decision) => shownDecision(decision, sent)),
          label,
        ).toEqual(expected.decisions.map(wantedDecision));
        expect(errorsOf(mapped), label).toEqual(
          expected.errorEvents.map(({ span, message }) => `${span}: ${message}`).sort(),
        );
        expect([[...completions], loggedEvents], label).toEqual([[], []]);
      }
    });

  for (const name of names)
    it(`${name}: model and tokens are what prices need`, async () => {
      for (const { expected, mapped } of await readFixture(name)) {
        const priced = expected.spans.flatMap(({ spanId, pricing }) =>
          pricing ? [[spanId, pricing] as const] : [],
        );
        for (const [spanId, pricing] of priced) {
          const usage = mapped.find(({ span }) => span.id === spanId)?.span.usage;
          const [cacheRead, cacheWrite] = [usage?.cacheReadTokens ?? 0, usage?.cacheWriteTokens ?? 0];
          expect(
            {
              model: usage?.model,
              input: (usage?.inputTokens ?? 0) - cacheRead - cacheWrite,
              cacheRead,
              cacheWrite,
              output: usage?.outputTokens ?? 0,
            },
            `${name} ${spanId}`,
          ).toEqual(pricing);
        }
      }
    });

  it("with what log records say about their spans", async () => {
    const { records } = await readLogs(bytes("otel-openai-bare/logs-1.json"), "json");
    const fixture = await readFixture("otel-openai-bare");
    for (const [index, { expected, mapped }] of fixture.slice(0, 9).entries()) {
      const facts = mapped.map((span) => span.facts);
      const logs = records.flatMap((record, position) =>
        record.traceId === expected.traceId ? (mapLog(record, position) ?? []) : [],
      );
      const derived = deriveTrace(facts, logs);
      expect(deriveTrace(facts, [...logs, ...logs].reverse())).toEqual(derived);
      const { input, output } = derived.completions.get(facts[0]?.id ?? "") ?? {};
      const [tool, given] = [
        ["lookup_order", { order_id: "A-1001" }] as const,
        ["track_shipment", { tracking_number: "ZX-77" }] as const,
      ][index % 3] ?? [ANSWER];
      expect(JSON.stringify(input)).toContain(QUESTION);
      expect(JSON.stringify(output)).toContain(tool);
      expect(derived.decisionPoints.map(({ chosen, inference }) => [chosen, inference])).toEqual(
        given ? [[{ name: tool, arguments: given }, { alternativesKnown: false }]] : [],
      );
      // Only the third run has reasoning.
      expect(derived.decisionPoints.every(({ reasoning }) => (reasoning !== null) === index >= 6)).toBe(true);
    }
  });

  it("with the input of Claude Code's tools, which only log records have", async () => {
    const { records } = await readLogs(bytes("claude-agent-sdk-native/logs-1.json"), "json");
    // The second run's log records were not recorded.
    const [run] = await readFixture("claude-agent-sdk-native");
    const logs = records.flatMap((record, position) => mapLog(record, position) ?? []);
    const { completions, decisionPoints } = deriveTrace(run?.mapped.map(({ facts }) => facts) ?? [], logs);
    const given = [{ order_id: "A-1001" }, { tracking_number: "ZX-77" }];
    expect([...completions.values()].map(({ input }) => input)).toEqual(given);
    expect(decisionPoints.map(({ chosen }) => chosen)).toEqual([
      { name: "lookup_order", arguments: given[0] },
      { name: "track_shipment", arguments: given[1] },
    ]);
  });

  it("in any order of their spans", async () => {
    for (const name of names)
      for (const { mapped } of await readFixture(name)) {
        const facts = mapped.map((span) => span.facts);
        const derived = deriveTrace(facts, []);
        const orders = [[...facts].reverse(), ...[1, 2, 3].map((seed) => shuffled(facts, seed))];
        for (const order of orders) expect(deriveTrace(order, []), name).toEqual(derived);
        // Facts are stored as JSON.
        expect(deriveTrace(JSON.parse(JSON.stringify(facts)), []), name).toEqual(derived);
      }
  });
});
