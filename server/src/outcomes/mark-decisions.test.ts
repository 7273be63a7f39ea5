import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JudgedReason } from "./judged-reason.ts";
import { type MarkedTrace, markDecisions, markRun } from "./mark-decisions.ts";
import { decodeMarks, encodeMarks, MAX_MARKS_FINGERPRINTS } from "./marks.ts";

const reason = (
  kind: JudgedReason["place"]["kind"],
  id: string | null,
  { isScore = true, ...fields }: Partial<JudgedReason> & { isScore?: boolean } = {},
): JudgedReason => ({
  condition: 0,
  kind: isScore ? "evaluator" : kind,
  text: "",
  place: { kind, id },
  scoreId: isScore ? "s" : null,
  fingerprint: 7,
  ...fields,
});
const span = (id: string, parentSpanId: string | null, startedAt: number, endedAt: number | null) => ({
  id,
  parentSpanId,
  type: "CHAIN" as const,
  startedAt,
  endedAt,
  durationMs: null,
});
const decision = (id: string, parentSpanId: string | null, timestamp: number) => ({
  id,
  parentSpanId,
  timestamp,
});

/** A root with three branches: a ends before b begins, p runs beside both. */
const TRACE: MarkedTrace = {
  spans: [
    span("root", null, 0, 60),
    span("a", "root", 10, 29),
    span("b", "root", 30, 50),
    span("p", "root", 12, 55),
  ],
  decisionPoints: [
    decision("r1", "root", 5),
    decision("a1", "a", 15),
    decision("b1", "b", 35),
    decision("p1", "p", 20),
    decision("r2", "root", 58),
  ],
  events: [{ id: "e", spanId: "b", timestamp: 40 }],
};
const markedIds = (trace: MarkedTrace, ...reasons: JudgedReason[]) => {
  const { isRun, marked } = markDecisions(trace, reasons);
  return isRun ? "run" : [...marked].sort().map((position) => trace.decisionPoints[position]?.id);
};

describe("a bad run marks", () => {
  it.each([
    ["a", ["r1", "a1"]],
    ["b", ["r1", "a1", "b1"]],
    ["p", ["r1", "p1"]],
    ["root", ["r1", "a1", "b1", "p1", "r2"]],
  ])("the decisions inside the span %s and those whose results it had", (id, want) => {
    expect(markedIds(TRACE, reason("span", id))).toEqual(want);
  });

  it("the decisions of a branch that still ran beside a span only if its end is not known", () => {
    const open = {
      ...TRACE,
      spans: TRACE.spans.map((one) => (one.id === "p" ? { ...one, endedAt: null } : one)),
    };
    expect(markedIds(open, reason("span", "b"))).toEqual(["r1", "a1", "b1", "p1"]);
  });

  it("the decisions before an event whose scope contains it, by a condition", () => {
    expect(markedIds(TRACE, reason("event", "e", { isScore: false }))).toEqual(["r1", "b1"]);
  });

  it("one decision alone by a score; by a condition those before it, and leaves it out itself", () => {
    expect(markedIds(TRACE, reason("decision", "b1"))).toEqual(["b1"]);
    const marks = markDecisions(TRACE, [reason("decision", "b1", { isScore: false })]);
    expect([[...marks.marked].sort(), [...marks.leftOut]]).toEqual([[0, 1, 3], [2]]);
  });

  it("the whole run for what is about the run or is not in the trace, and nothing for its status", () => {
    for (const place of [
      reason("run", null),
      reason("span", "none"),
      reason("decision", "none"),
      reason("event", "none"),
    ])
      expect(markedIds(TRACE, place)).toBe("run");
    const failed = reason("run", null, { isScore: false, kind: "status" });
    expect(markedIds(TRACE, failed)).toEqual([]);
    expect([markRun([failed]).isRun, markRun([reason("span", "a")]).isRun]).toEqual([false, true]);
  });

  it("decisions of a span as a plain definition says, whatever spans are missing, contain each other or have no end", () => {
    const id = fc.constantFrom("s0", "s1", "s2", "s3", "gone");
    const instant = fc.integer({ min: 0, max: 6 });
    const spans = fc
      .array(fc.tuple(fc.option(id), instant, fc.option(instant)), { minLength: 1, maxLength: 4 })
      .map((all) => all.map(([parent, start, end], n) => span(`s${n}`, parent, start, end)));
    const decisions = fc
      .array(fc.tuple(fc.option(id), instant), { minLength: 1, maxLength: 5 })
      .map((all) => all.map(([parent, at], n) => decision(`d${n}`, parent, at)));
    fc.assert(
      fc.property(spans, decisions, (allSpans, decisionPoints) => {
        const trace = { spans: allSpans, decisionPoints, events: [] };
        // Cycles are broken at the span that started first, as everywhere.
        const parentOf = plainParents(allSpans);
        const contains = (outer: string, inner: string | null): boolean => {
          for (let at = inner; at !== null; at = parentOf.get(at) ?? null) if (at === outer) return true;
          return false;
        };
        const known = new Map(allSpans.map((one) => [one.id, one]));
        const judged = allSpans[0];
        if (!judged) return;
        const want = decisionPoints.filter(({ parentSpanId, timestamp }) => {
          const made = parentSpanId === null ? undefined : known.get(parentSpanId);
          if (made && contains(judged.id, made.id)) return true;
          if (timestamp > judged.startedAt) return false;
          return (
            !made || contains(made.id, judged.id) || made.endedAt === null || made.endedAt <= judged.startedAt
          );
        });
        expect(markedIds(trace, reason("span", judged.id))).toEqual(want.map((one) => one.id));
      }),
      { numRuns: 5_000 },
    );
  });
});

function plainParents(spans: readonly ReturnType<typeof span>[]): Map<string, string> {
  const ids = new Set(spans.map(({ id }) => id));
  const parents = new Map(
    spans.flatMap(({ id, parentSpanId }) =>
      parentSpanId !== null && ids.has(parentSpanId) ? [[id, parentSpanId]] : [],
    ),
  );
  for (const { id } of spans) {
    const cycle: string[] = [];
    for (let at: string | undefined = id; at !== undefined && !cycle.includes(at); at = parents.get(at))
      cycle.push(at);
    const last = parents.get(cycle.at(-1) ?? "");
    if (last !== id) continue;
    const inCycle = spans.filter((one) => cycle.includes(one.id));
    const first = inCycle.reduce((one, other) => (other.startedAt < one.startedAt ? other : one));
    parents.delete(first.id);
  }
  return parents;
}

describe("marks", () => {
  it("are null if nothing is marked, and come back as they were written", () => {
    const none = { isRun: false, marked: new Set<number>(), leftOut: new Set<number>(), fingerprints: [] };
    expect(encodeMarks(none)).toBeNull();
    const fingerprints = [4_294_967_295, 1];
    const marks = { isRun: false, marked: new Set([7, 0, 65_535]), leftOut: new Set([300]), fingerprints };
    expect(decodeMarks(encodeMarks({ ...none, fingerprints }))).toEqual({ ...none, fingerprints });
    const many = Array.from({ length: 20 }, (_, index) => index);
    expect(decodeMarks(encodeMarks({ ...marks, fingerprints: many })).fingerprints).toEqual(
      many.slice(0, MAX_MARKS_FINGERPRINTS),
    );
    expect(decodeMarks(encodeMarks(marks))).toEqual({ ...marks, marked: new Set([0, 7, 65_535]) });
    expect(decodeMarks(encodeMarks({ ...marks, isRun: true }))).toEqual({
      ...marks,
      isRun: true,
      marked: new Set(),
    });
  });
});

it("takes time in proportion to reasons: a run is bad by each of 100,000 events", () => {
  const events = Array.from({ length: 100_000 }, (_, index) => ({
    id: `e${index}`,
    spanId: "root",
    timestamp: index,
  }));
  const reasons = events.map(({ id }) => reason("event", id, { isScore: false }));
  const cpuMs = startCpuStopwatch();
  const ids = markedIds({ ...TRACE, events }, ...reasons);
  expect(cpuMs()).toBeLessThan(2_000);
  expect(ids).toEqual(["r1", "r2"]);
});
