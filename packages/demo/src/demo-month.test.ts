import { DECISION_POINT_TYPES, EVENT_TYPES, parseBatch, SPAN_TYPES } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { type DemoTrace, demoMonth, demoRefund, demoScores, hugeTrace } from "./index.ts";

const now = new Date("2026-03-12T15:20:00.000Z");
const month = [...demoMonth({ seed: 7, now, traces: 1_500 })];
const ended = [...demoMonth({ seed: 11, now, traces: 6_000 })].filter(({ status }) => status !== "RUNNING");
const toJson = (trace: DemoTrace) => JSON.parse(JSON.stringify(trace)) as unknown;

describe("a demo month", () => {
  it("has the given number of traces, oldest first, in the thirty days up to now", () => {
    expect(month).toHaveLength(1_500);
    for (const traces of [0, 1, 3, 4, 20])
      expect([...demoMonth({ seed: 1, now, traces })]).toHaveLength(traces);
    const starts = month.map((trace) => Date.parse(trace.startedAt));
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(now.getTime() - 30 * 86_400_000);
    expect(Math.max(...starts)).toBeLessThanOrEqual(now.getTime());
    const finished = starts.slice(0, -5);
    expect(finished).toEqual([...finished].sort((one, other) => one - other));
  });

  it("is valid for ingest, and every reference inside a trace points to a span of it", () => {
    const parsed = parseBatch({ traces: month.map(toJson) });
    expect(new Set(parsed.map((trace) => trace.id)).size).toBe(1_500);
    for (const { spans, decisionPoints, events } of month) {
      const ids = new Set(spans.map((span) => span.id));
      expect(spans.filter((span) => span.parentSpanId === null)).toHaveLength(1);
      for (const parent of [...spans, ...decisionPoints].map((one) => one.parentSpanId))
        if (parent !== null) expect(ids).toContain(parent);
      for (const { spanId } of events) if (spanId !== null) expect(ids).toContain(spanId);
    }
  });

  it("is the same for the same seed and shares no trace id with another seed", () => {
    const [one, same, other] = [3, 3, 4].map((seed) => [...demoMonth({ seed, now, traces: 30 })]);
    expect(same).toEqual(one);
    const ids = new Set(one?.map((trace) => trace.id));
    expect(other?.filter((trace) => ids.has(trace.id))).toEqual([]);
  });

  it("has the same ids for the same seed at any time, so that loading it again replaces it", () => {
    const later = new Date(now.getTime() + 29 * 3_600_000);
    const [ids, idsLater] = [now, later].map((end) =>
      [...demoMonth({ seed: 3, now: end, traces: 60 })].map(({ id }) => id),
    );
    expect(idsLater).toEqual(ids);
    expect(new Set(ids).size).toBe(60);
  });

  it("contains every type of span, decision point and event", () => {
    const seen = (types: string[]) => [...new Set(types)].sort();
    expect(seen(month.flatMap((trace) => trace.spans.map((one) => one.type)))).toEqual(
      [...SPAN_TYPES].sort(),
    );
    expect(seen(month.flatMap((trace) => trace.decisionPoints.map((one) => one.type)))).toEqual(
      [...DECISION_POINT_TYPES].sort(),
    );
    expect(seen(month.flatMap((trace) => trace.events.map((one) => one.type)))).toEqual(
      [...EVENT_TYPES].sort(),
    );
  });

  it("plants culprits that an analysis of decisions must find, and an innocent that it must not accuse", () => {
    const failureRate = (...options: string[]) => {
      const chose = ended.filter(({ decisionPoints }) => {
        const chosen = decisionPoints.map((one) => nameOf(one.chosen));
        return options.every((option) => chosen.includes(option));
      });
      expect(chose.length).toBeGreaterThan(20);
      return chose.filter(({ status }) => status === "ERROR").length / chose.length;
    };
    expect(failureRate("refund_api", "cached policy")).toBeGreaterThan(
      2 * failureRate("refund_api", "fetch policy"),
    );
    expect(failureRate("give up")).toBe(1);
    expect(failureRate("same arguments")).toBeLessThan(0.85);
    // A deep crawl fails more often only because it is chosen for hard questions.
    expect(failureRate("deep crawl")).toBeGreaterThan(1.5 * failureRate("quick search"));
    for (const plan of ["split into questions", "outline, search, draft"])
      expect(Math.abs(failureRate("deep crawl", plan) - failureRate("quick search", plan))).toBeLessThan(
        0.12,
      );
  });

  it("shows in the context which refunds fail, and other choices since a release", () => {
    const refunds = month.flatMap((trace) =>
      trace.decisionPoints
        .filter(({ chosen, type }) => type === "TOOL_SELECTION" && nameOf(chosen) === "refund_api")
        .map(({ contextSnapshot }) => ({
          trace,
          isRefunded: JSON.stringify(contextSnapshot).includes('"refunded"'),
        })),
    );
    const refundedShare = (status: string) => {
      const runs = refunds.filter(({ trace }) => trace.status === status);
      return runs.filter(({ isRefunded }) => isRefunded).length / runs.length;
    };
    expect(refundedShare("ERROR")).toBeGreaterThan(0.5);
    expect(refundedShare("COMPLETED")).toBeLessThan(0.08);
    const share = (release: RegExp) => {
      const of = month.filter(({ name, tags }) => name.includes("refund") && release.test(tags.at(-1) ?? ""));
      return refunds.filter(({ trace }) => of.includes(trace)).length / of.length;
    };
    expect(share(/^v2\.3/) - share(/^v2\.2/)).toBeGreaterThan(0.2);
  });

  it("has an error rate that depends on the chosen tool", () => {
    const rate = (tool: string) => {
      const runs = ended.filter(({ decisionPoints }) =>
        decisionPoints.some(
          ({ type, chosen, alternatives }) =>
            type === "TOOL_SELECTION" &&
            [chosen, ...alternatives].some((one) => nameOf(one) === "lookup_policy") &&
            nameOf(chosen) === tool,
        ),
      );
      return runs.filter((trace) => trace.status === "ERROR").length / runs.length;
    };
    expect(rate("refund_api")).toBeGreaterThan(0.35);
    expect(rate("refund_api")).toBeLessThan(0.55);
    expect(rate("ask_human")).toBeLessThan(0.08);
  });

  it("has a day with an incident, a few running traces, a few without cost, and sessions of several traces", () => {
    const errorsBy = new Map<string, number>();
    for (const trace of month)
      if (trace.status === "ERROR")
        errorsBy.set(trace.startedAt.slice(0, 10), (errorsBy.get(trace.startedAt.slice(0, 10)) ?? 0) + 1);
    const worst = [...errorsBy].sort((one, other) => other[1] - one[1])[0]?.[0];
    expect(worst).toBe("2026-03-09");
    const running = month.filter((trace) => trace.status === "RUNNING");
    expect(running.length).toBeGreaterThan(2);
    for (const { endedAt, totalDuration, spans } of running) {
      expect([endedAt, totalDuration]).toEqual([null, null]);
      expect(spans.some((span) => span.status === "RUNNING" && span.endedAt === null)).toBe(true);
    }
    expect(month.filter((trace) => trace.totalCost === null).length).toBeGreaterThan(20);
    const bySession = Map.groupBy(month, (trace) => trace.sessionId);
    bySession.delete(null);
    expect([...bySession.values()].filter((traces) => traces.length > 1).length).toBeGreaterThan(100);
  });
});

describe("the scores of a demo month", () => {
  const support = ended.filter(({ name }) => name.startsWith("support-agent"));
  const scored = support.map((trace) => ({ trace, scores: demoScores(trace) }));
  const all = scored.flatMap(({ scores }) => scores);
  const share = <T>(list: readonly T[], isCounted: (one: T) => boolean) =>
    list.filter(isCounted).length / list.length;
  const isAsked = ({ metadata }: DemoTrace) =>
    JSON.stringify(metadata).includes('"whytrace.feedback":["helpful"]');
  const said = (scores: typeof all, name: string) => scores.find((score) => score.name === name)?.value;

  it("are the same for the same trace, only of ended runs of the agent with users, given after their end", () => {
    expect(ended.filter(({ name }) => !name.startsWith("support-agent")).flatMap(demoScores)).toEqual([]);
    expect(month.filter(({ status }) => status === "RUNNING").flatMap(demoScores)).toEqual([]);
    expect(support.flatMap(demoScores)).toEqual(all);
    for (const { trace, scores } of scored)
      for (const { timestamp, traceId } of scores)
        expect([traceId, timestamp > (trace.endedAt ?? "")]).toEqual([trace.id, true]);
  });

  it("have asked and silent users; the unhappy vote more often; complaints are only bad", () => {
    expect(share(support, isAsked)).toBeCloseTo(0.75, 1);
    const thumbs = scored.filter(({ scores }) => said(scores, "helpful") !== undefined);
    expect(thumbs.every(({ trace }) => isAsked(trace))).toBe(true);
    expect(thumbs.length / support.filter(isAsked).length).toBeGreaterThan(0.3);
    expect(thumbs.length / support.filter(isAsked).length).toBeLessThan(0.6);
    const complaints = all.filter(({ name }) => name === "complaint");
    expect(complaints.length).toBeGreaterThan(40);
    expect(complaints.every(({ value }) => value === false)).toBe(true);
    expect(all.some(({ name, value }) => name === "stars" && value === 5)).toBe(true);
  });

  it("have a judge that is wrong in a tenth, as the reviewer says, who looks more at what it calls bad", () => {
    const judged = scored.filter(({ scores }) => said(scores, "correct") !== undefined);
    const reviewed = judged.filter(({ scores }) => said(scores, "review") !== undefined);
    const isCalledBad = ({ scores }: (typeof scored)[number]) => said(scores, "correct") === false;
    const isAgreed = ({ scores }: (typeof scored)[number]) =>
      said(scores, "correct") === said(scores, "review");
    expect(share(reviewed, isCalledBad)).toBeGreaterThan(share(judged, isCalledBad));
    const weighted = [true, false].map((isBad) => {
      const own = (one: (typeof scored)[number]) => isCalledBad(one) === isBad;
      return share(judged, own) * share(reviewed.filter(own), isAgreed);
    });
    expect((weighted[0] ?? 0) + (weighted[1] ?? 0)).toBeCloseTo(0.9, 1);
  });

  it("plant a decision that makes users unhappy without ever failing, and no other", () => {
    const tracked = scored.filter(({ trace }) => trace.name === "support-agent: where is my order");
    const unhappy = (option: string) => {
      const chose = tracked.filter(({ trace, scores }) => {
        const isChosen = trace.decisionPoints.some(({ chosen }) => nameOf(chosen) === option);
        return isChosen && trace.status === "COMPLETED" && said(scores, "helpful") !== undefined;
      });
      expect(chose.length).toBeGreaterThan(20);
      return share(chose, ({ scores }) => said(scores, "helpful") === false);
    };
    expect(unhappy("reply: haiku")).toBeGreaterThan(3 * unhappy("reply: sonnet"));
    expect(Math.abs(unhappy("last 3 orders") - unhappy("full history"))).toBeLessThan(0.2);
  });
});

describe("the demo refund", () => {
  it("is always the same: 12.4 s, $0.0418, 18.2k tokens, 23 spans, 10 decisions, 2 failed spans", () => {
    const trace = demoRefund(now);
    expect(parseBatch({ traces: [toJson(trace)] })).toHaveLength(1);
    expect(trace).toMatchObject({
      name: "support-agent: refund request",
      status: "ERROR",
      tags: ["prod", "v2.3.1"],
      sessionId: "sess_8f2c",
      totalDuration: 12_400,
      totalCost: 0.0418,
      totalTokens: 18_200,
    });
    expect(trace.spans).toHaveLength(23);
    expect(trace.decisionPoints.map((one) => one.type)).toEqual([
      "ROUTING",
      "MEMORY_RETRIEVAL",
      "CUSTOM",
      "PLANNING",
      "TOOL_SELECTION",
      "ROUTING",
      "MEMORY_RETRIEVAL",
      "TOOL_SELECTION",
      "RETRY",
      "ESCALATION",
    ]);
    const failed = trace.spans.filter((span) => span.status === "ERROR");
    expect(failed.map((span) => span.name)).toEqual(["refund_api", "refund_api"]);
  });
});

describe("the huge trace", () => {
  it("has the given numbers of spans and decision points and still fits into one request", () => {
    const trace = hugeTrace(10_000, 500);
    expect([trace.spans.length, trace.decisionPoints.length]).toEqual([10_000, 500]);
    const bytes = new TextEncoder().encode(JSON.stringify({ traces: [trace] })).length;
    expect(bytes).toBeGreaterThan(8 * 2 ** 20);
    expect(bytes).toBeLessThan(9.8 * 2 ** 20);
    expect(parseBatch({ traces: [toJson(trace)] })).toHaveLength(1);
  });
});

function nameOf(option: unknown): unknown {
  return typeof option === "object" && option !== null && "name" in option ? option.name : option;
}
