import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { volume } from "@whytrace/testing/volume.ts";
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

const RUNS = volume(5_000);
const randomId = fc.constantFrom("s0", "s1", "s2", "s3", "gone");
const randomInstant = fc.integer({ min: 0, max: 6 });
const randomSpans = fc
  .array(fc.tuple(fc.option(randomId), randomInstant, fc.option(randomInstant)), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.map(([parent, start, end], n) => span(`s${n}`, parent, start, end)));
const randomDecisions = fc
  .array(fc.tuple(fc.option(randomId), randomInstant), { minLength: 1, maxLength: 5 })
  .map((all) => all.map(([parent, at], n) => decision(`d${n}`, parent, at)));

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
    fc.assert(
      fc.property(randomSpans, randomDecisions, (allSpans, decisionPoints) => {
        const trace = { spans: allSpans, decisionPoints, events: [] };
        const { known, contains } = plainTree(allSpans);
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
      { numRuns: RUNS },
    );
  });

  it("decisions before an event or a decision as a plain definition says, in the same traces", () => {
    fc.assert(
      fc.property(
        randomSpans,
        randomDecisions,
        fc.tuple(fc.option(randomId), randomInstant),
        (allSpans, decisionPoints, [spanId, at]) => {
          const trace = { spans: allSpans, decisionPoints, events: [{ id: "e", spanId, timestamp: at }] };
          const { known, contains } = plainTree(allSpans);
          const byEvent = decisionPoints.filter(({ parentSpanId, timestamp }) => {
            const isInScope = !known.has(parentSpanId ?? "") || contains(parentSpanId ?? "", spanId);
            return timestamp < at && isInScope;
          });
          const ids = (some: typeof decisionPoints) => some.map(({ id }) => id);
          expect(markedIds(trace, reason("event", "e", { isScore: false }))).toEqual(ids(byEvent));
          const [first] = decisionPoints;
          if (!first) return;
          expect(markedIds(trace, reason("decision", first.id))).toEqual([first.id]);
          expect(markedIds(trace, reason("decision", first.id, { isScore: false }))).toEqual(
            ids(decisionPoints.filter(({ timestamp }) => timestamp < first.timestamp)),
          );
        },
      ),
      { numRuns: RUNS },
    );
  });
});

/** Which span contains which. Cycles are broken at the span that started first, as everywhere. */
function plainTree(spans: readonly ReturnType<typeof span>[]) {
  const parentOf = plainParents(spans);
  const contains = (outer: string, inner: string | null): boolean => {
    for (let at = inner; at !== null; at = parentOf.get(at) ?? null) if (at === outer) return true;
    return false;
  };
  return { known: new Map(spans.map((one) => [one.id, one])), contains };
}

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
    const none = {
      isRun: false,
      marked: new Set<number>(),
      leftOut: new Set<number>(),
      fingerprints: [],
      scoredAt: null,
    };
    expect(encodeMarks(none)).toBeNull();
    const fingerprints = [4_294_967_295, 1];
    const marks = { ...none, marked: new Set([7, 0, 65_535]), leftOut: new Set([300]), fingerprints };
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
    for (const scoredAt of [0, 65_535])
      expect(decodeMarks(encodeMarks({ ...marks, scoredAt }))).toMatchObject({ fingerprints, scoredAt });
  });
});

describe("scores of a bad run say at which turn it went wrong", () => {
  const scoredAt = (trace: MarkedTrace, ...reasons: JudgedReason[]) => {
    const { scoredAt: position } = markDecisions(trace, reasons);
    return position === null ? null : trace.decisionPoints[position]?.id;
  };

  it.each([
    ["decision", "b1", "b1"],
    ["span", "b", "b1"],
    ["span", "p", "p1"],
    // Several turns are in it.
    ["span", "root", null],
    ["span", "none", null],
    ["run", null, null],
  ] as const)("the place %s %s: %s", (kind, id, want) => {
    expect(scoredAt(TRACE, reason(kind, id))).toBe(want);
  });

  it("of a span in which nothing was decided, the last decision whose result it had", () => {
    const spans = [...TRACE.spans, span("c", "root", 52, 54), span("early", "root", 1, 2)];
    expect(scoredAt({ ...TRACE, spans }, reason("span", "c"))).toBe("b1");
    expect(scoredAt({ ...TRACE, spans }, reason("span", "early"))).toBeNull();
    const answer = { ...span("answer", "root", 55, 57), type: "LLM_CALL" as const };
    expect(scoredAt({ ...TRACE, spans: [...spans, answer] }, reason("span", "answer"))).toBeNull();
  });

  it("of several the first; none if one of them is about the whole run", () => {
    const [a, b] = [reason("span", "a"), reason("decision", "b1")];
    expect(scoredAt(TRACE, b, a)).toBe("a1");
    expect(scoredAt(TRACE, a, b, reason("run", null))).toBeNull();
    expect(scoredAt(TRACE, a, reason("run", null, { isScore: false }))).toBe("a1");
  });

  it("all that one answer of a model decided is one turn", () => {
    const spans = TRACE.spans.map((one) => (one.id === "b" ? { ...one, type: "LLM_CALL" as const } : one));
    const decisionPoints = [...TRACE.decisionPoints, decision("b2", "b", 36)];
    expect(scoredAt({ ...TRACE, spans, decisionPoints }, reason("span", "b"))).toBe("b2");
    expect(scoredAt({ ...TRACE, decisionPoints }, reason("span", "b"))).toBeNull();
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
