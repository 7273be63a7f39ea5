import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { describe, expect, it } from "vitest";
import type { LogFacts, SpanFacts } from "../map/span-facts.ts";
import { deriveTrace } from "./derive-trace.ts";

const facts = (id: string, parentId: string | null, more: Partial<SpanFacts> = {}): SpanFacts => ({
  id,
  ...(parentId !== null && { parentId }),
  name: id,
  type: "CUSTOM",
  status: "COMPLETED",
  startMs: 1_000,
  endMs: 2_000,
  ...more,
});
const call = (id: string, parentId: string | null, tokens?: number, more: Partial<SpanFacts> = {}) =>
  facts(id, parentId, { type: "LLM_CALL", ...(tokens !== undefined && { tokens }), ...more });
const derive = (...spans: SpanFacts[]) => deriveTrace(spans, []);

/** Numbers that are the same in every run. */
function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}
function shuffled<Item>(items: Item[], random: (below: number) => number): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(random(rest.length), 1));
}

describe("the status of a trace", () => {
  it("is RUNNING, without an end, until a root has come", () => {
    expect(derive(facts("b", "a", { status: "ERROR" }))).toMatchObject({
      status: "RUNNING",
      startedAt: 1_000,
      endedAt: null,
      totalDuration: null,
    });
    expect(derive(facts("a", null), facts("b", "a"))).toMatchObject({ status: "COMPLETED", endedAt: 2_000 });
  });

  it("is that of the root: a failed tool alone does not fail a trace", () => {
    expect(derive(facts("a", null), facts("b", "a", { status: "ERROR" })).status).toBe("COMPLETED");
    expect(derive(facts("a", null, { status: "ERROR" }), facts("b", "a")).status).toBe("ERROR");
  });

  it("is ERROR if one of several roots has failed, and RUNNING if one is", () => {
    expect(derive(facts("a", null), facts("b", null, { status: "ERROR" })).status).toBe("ERROR");
    expect(derive(facts("a", null), facts("b", null, { status: "RUNNING" })).status).toBe("RUNNING");
  });
});

it("reaches from the first start to the last end, in whole milliseconds", () => {
  const early = facts("b", "a", { startMs: 500, endMs: 3_000.75 });
  expect(derive(facts("a", null), early)).toMatchObject({
    startedAt: 500,
    endedAt: 3_000,
    totalDuration: 2_500,
  });
});

describe("the name of a trace", () => {
  it("is what its root says, or else its agent, or else the name of the root", () => {
    const agent = facts("b", "a", { type: "AGENT", label: "agent" });
    expect(derive(facts("a", null, { label: "root" }), agent).name).toBe("root");
    expect(derive(facts("a", null), agent).name).toBe("agent");
    expect(derive(facts("a", null), call("b", "a", 1, { label: "call" })).name).toBe("a");
  });

  it("is that of the first span at the top until a root has come", () => {
    expect(derive(facts("c", "b", { startMs: 900 }), facts("b", "a", { label: "later" })).name).toBe("later");
  });
});

it("has the session and the tags of its root, or else of the first span that has some", () => {
  const first = facts("b", "a", { startMs: 1_001, session: "b", tags: ["b"] });
  const second = facts("c", "a", { startMs: 1_002, session: "c", tags: ["c"] });
  expect(derive(facts("a", null), second, first)).toMatchObject({ sessionId: "b", tags: ["b"] });
  expect(derive(facts("a", null, { session: "a", tags: ["a"] }), first)).toMatchObject({
    sessionId: "a",
    tags: ["a"],
  });
  expect(derive(facts("a", null))).toMatchObject({ sessionId: null, tags: [] });
});

describe("the totals of a trace", () => {
  const tokens = (...spans: SpanFacts[]) => derive(...spans).totalTokens;

  it("are those of its calls", () => {
    expect(tokens(facts("a", null), call("b", "a", 478), call("c", "a", 611))).toBe(1_089);
  });

  it("do not count what an agent repeats of its calls, all of them or only the last", () => {
    expect(tokens(facts("a", null, { tokens: 1_089 }), call("b", "a", 478), call("c", "a", 611))).toBe(1_089);
    expect(tokens(facts("a", null, { tokens: 611 }), call("b", "a", 478), call("c", "a", 611))).toBe(1_089);
  });

  it("are those of the agent where its calls have none, or less", () => {
    expect(
      tokens(facts("a", null, { type: "AGENT", tokens: 1_227 }), facts("b", "a", { type: "TOOL_CALL" })),
    ).toBe(1_227);
    expect(tokens(facts("a", null, { type: "AGENT", tokens: 1_803 }), call("b", "a", 714))).toBe(1_803);
  });

  it("count a call once that two instrumentations report, one inside the other", () => {
    expect(tokens(call("a", null, 478), call("b", "a", 478))).toBe(478);
    expect(tokens(call("a", null), call("b", "a", 9))).toBe(9);
  });

  it("add what a tool below a call used", () => {
    const tool = facts("b", "a", { type: "TOOL_CALL" });
    expect(tokens(call("a", null, 100), tool, call("c", "b", 50))).toBe(150);
  });

  it("are the sum of all spans without a parent that has come", () => {
    expect(tokens(call("a", null, 1), call("b", "missing", 2), call("c", null, 4))).toBe(7);
  });

  it("are unknown where no span has any, and 0 is not unknown", () => {
    expect(derive(facts("a", null))).toMatchObject({ totalTokens: null, totalCost: null });
    expect(tokens(call("a", null, 0))).toBe(0);
  });

  it("of the cost follow the same rules", () => {
    const trace = derive(
      facts("a", null, { costUsd: 0.5 }),
      call("b", "a", 1, { costUsd: 0.2 }),
      call("c", "a", 1, { costUsd: 0.1 }),
    );
    expect(trace.totalCost).toBe(0.5);
  });
});

describe("parents in a loop", () => {
  const looped = (id: string, parentId: string) =>
    call(id, parentId, 478, { calls: [{ name: "lookup", arguments: {} }] });

  it("leave a trace that is running, with each call counted once", () => {
    expect(derive(looped("a", "b"), looped("b", "a"))).toMatchObject({ status: "RUNNING", totalTokens: 478 });
    expect(derive(looped("a", "a")).decisionPoints.map(({ id }) => id)).toEqual(["a-call-0"]);
    expect(derive(looped("a", "b"), looped("b", "a"), looped("c", "c")).decisionPoints).toHaveLength(2);
  });

  it("may have spans below them", () => {
    const trace = derive(facts("a", "b"), facts("b", "a"), call("c", "a", 5), call("d", "c", 7));
    expect(trace.totalTokens).toBe(7);
  });
});

describe("any order of the spans", () => {
  it("gives the same trace, whatever their parents", () => {
    const random = seeded(7);
    const types = ["LLM_CALL", "LLM_CALL", "TOOL_CALL", "CHAIN", "AGENT"] as const;
    for (let round = 0; round < 60; round++) {
      const count = 2 + random(20);
      const spans = Array.from({ length: count }, (_, index): SpanFacts => {
        const parent = random(count + 2);
        const startMs = 1_000 + random(5);
        const type = types[random(types.length)] ?? "CUSTOM";
        return facts(`s${index}`, parent === count ? null : `s${parent}`, {
          type,
          startMs,
          endMs: startMs + random(3) / 2,
          ...(random(2) && { tokens: random(100), costUsd: random(100) / 7 }),
          ...(random(3) === 0 && {
            label: `label ${index}`,
            session: `session ${index}`,
            tags: [`tag ${index}`],
          }),
          ...(random(3) === 0 && {
            calls: [
              { name: "a", arguments: { index } },
              { name: "b", arguments: {} },
            ],
          }),
          ...(random(3) === 0 && { asksForTools: true as const }),
          ...(random(4) === 0 && { offered: ["a", "b", "c", "d"] }),
          ...(type === "TOOL_CALL" && { tool: { name: "a", arguments: { index } } }),
        });
      });
      const derived = deriveTrace(spans, []);
      for (let times = 0; times < 5; times++)
        expect(deriveTrace(shuffled(spans, random), [])).toEqual(derived);
    }
  });
});

describe("a trace of 50,000 spans", () => {
  const COUNT = 50_000;
  const many = (spanOf: (index: number) => SpanFacts) =>
    Array.from({ length: COUNT }, (_, index) => spanOf(index));
  const within = (ms: number, spans: SpanFacts[], logs: LogFacts[] = []) => {
    const workedMs = startCpuStopwatch();
    const trace = deriveTrace(spans, logs);
    expect(workedMs()).toBeLessThan(ms);
    return trace;
  };

  it("may be one chain of parents, or one loop", () => {
    expect(
      within(
        5_000,
        many((i) => call(`s${i}`, i === 0 ? null : `s${i - 1}`, 3)),
      ).totalTokens,
    ).toBe(3);
    expect(
      within(
        5_000,
        many((i) => facts(`s${i}`, `s${(i + 1) % COUNT}`, { tokens: i })),
      ).totalTokens,
    ).toBe(COUNT - 1);
  });

  it("may have all spans beside each other, each asking for tools that come much later", () => {
    const beside = many((i) =>
      i < COUNT / 2
        ? call(`s${i}`, "root", 1, { startMs: 1_000, asksForTools: true })
        : facts(`s${i}`, "root", { type: "TOOL_CALL", startMs: 1_001, tool: { name: "t" } }),
    );
    expect(within(5_000, beside).decisionPoints).toHaveLength(COUNT / 2);
  });

  it("may have the same call id everywhere, in as many log records", () => {
    const spans = many((i) => facts(`s${i}`, "root", { type: "TOOL_CALL", callId: "c" }));
    const logs = spans.map((_, i) => ({ spanId: "root", callId: "c", timeMs: i, input: {} }));
    expect(within(5_000, spans, logs).completions.size).toBe(0);
  });

  it("may have an agent with very many tools, of which none is called", () => {
    const spans = many((i) => (i === 0 ? facts("root", null) : call(`s${i}`, "root", 1)));
    const offered = Array.from({ length: 20_000 }, (_, i) => `t${i}`);
    expect(within(5_000, spans, [{ spanId: "root", timeMs: 1, offered }]).decisionPoints).toEqual([]);
  });

  it("may have an agent with very many tools: then most decisions do not repeat them", () => {
    const offered = Array.from({ length: 5_000 }, (_, i) => `tool_${i}`);
    const spans = many((i) =>
      i === 0 ? facts("s0", null, { offered }) : call(`s${i}`, "s0", 1, { calls: [{ name: "tool_1" }] }),
    );
    const { decisionPoints } = within(10_000, spans);
    const known = decisionPoints.filter(({ inference }) => inference?.alternativesKnown);
    expect(decisionPoints).toHaveLength(COUNT - 1);
    expect(known.length).toBeGreaterThan(100);
    expect(known.length).toBeLessThan(1_000);
  });
});
