import { finishSteps } from "@whytrace/contract";
import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { describe, expect, it } from "vitest";
import { type BlameDecision, type BlameSpan, TraceErrors, type TraceRecords } from "./trace-errors.ts";

type Id = string;
const span = (id: Id, overrides: Partial<BlameSpan<Id>> = {}): BlameSpan<Id> => ({
  id,
  parentSpanId: null,
  isFailed: false,
  startedAt: 0,
  endedAt: 100,
  ...overrides,
});
const decision = (
  id: Id,
  timestamp: number,
  overrides: Partial<BlameDecision<Id>> = {},
): BlameDecision<Id> & { id: Id } => ({
  id,
  type: "ROUTING",
  parentSpanId: null,
  timestamp,
  ...overrides,
});
const failed = (id: Id, overrides: Partial<BlameSpan<Id>> = {}) => span(id, { isFailed: true, ...overrides });
const errorsOf = (records: Partial<TraceRecords<Id>>) =>
  finishSteps(
    TraceErrors.find<Id>({
      status: "ERROR",
      startedAt: 0,
      endedAt: 100,
      spans: [],
      decisions: [],
      events: [],
      ...records,
    }),
  );

describe("the error of a span", () => {
  it("is that of the last span that failed inside it, however deep", () => {
    const errors = errorsOf({
      spans: [
        failed("root"),
        span("chain", { parentSpanId: "root" }),
        failed("first", { parentSpanId: "chain", startedAt: 10 }),
        failed("second", { parentSpanId: "chain", startedAt: 20 }),
      ],
    });
    expect(errors.ofSpan("root")).toEqual({ spanId: "second", eventId: null, at: 20 });
    expect(errors.ofTrace()?.spanId).toBe("second");
    expect(errors.ofSpan("first")?.spanId).toBe("first");
    expect(errors.list(100).map(({ spanId }) => spanId)).toEqual(["first", "second"]);
  });

  it("has the time of the span's end if something was decided inside it, else of its start", () => {
    const spans = [failed("root", { endedAt: 90 }), span("inner", { parentSpanId: "root", startedAt: 5 })];
    expect(errorsOf({ spans }).ofSpan("root")?.at).toBe(0);
    expect(
      errorsOf({ spans, decisions: [decision("d", 40, { parentSpanId: "inner" })] }).ofSpan("root")?.at,
    ).toBe(90);
    expect(
      errorsOf({
        spans: [failed("root", { endedAt: null })],
        decisions: [decision("d", 40, { parentSpanId: "root" }), decision("e", 30, { parentSpanId: "root" })],
      }).ofSpan("root")?.at,
    ).toBe(40);
  });

  it("is found although spans contain each other in a ring", () => {
    const errors = errorsOf({
      spans: [failed("a", { parentSpanId: "b" }), failed("b", { parentSpanId: "a" })],
      decisions: [decision("d", 4, { parentSpanId: "a" })],
    });
    expect(["a", "b"]).toContain(errors.ofSpan("a")?.spanId);
    expect(["a", "b"]).toContain(errors.ofTrace()?.spanId);
    expect(errors.list(100)).toHaveLength(1);
  });

  it("is none if the span did not fail or is unknown", () => {
    const errors = errorsOf({ status: "COMPLETED", spans: [span("calm")] });
    expect(errors.ofSpan("calm")).toBeUndefined();
    expect(errors.ofSpan("unknown")).toBeUndefined();
  });
});

describe("the error of a trace", () => {
  it("is the trace itself if nothing in it failed", () => {
    const errors = errorsOf({ endedAt: null, decisions: [decision("d", 30)] });
    expect(errors.ofTrace()).toEqual({ spanId: null, eventId: null, at: 30 });
    expect(errorsOf({ status: "COMPLETED" }).ofTrace()).toBeUndefined();
  });

  it("is listed once if an event of the failed span reports it, too", () => {
    const errors = errorsOf({
      spans: [failed("tool", { startedAt: 10 })],
      events: [
        { id: "exception", spanId: "tool", timestamp: 12 },
        { id: "quota", spanId: null, timestamp: 3 },
      ],
    });
    expect(errors.list(100)).toEqual([
      { spanId: null, eventId: "quota", at: 3 },
      { spanId: "tool", eventId: null, at: 10 },
    ]);
  });
});

it("is, since a time, the first one at or after it", () => {
  const errors = errorsOf({
    spans: [failed("late", { startedAt: 30 }), failed("tool", { startedAt: 10 })],
    events: [{ id: "quota", spanId: null, timestamp: 20 }],
  });
  expect([0, 10, 11, 21].map((time) => errors.firstSince(time)?.at)).toEqual([10, 10, 20, 30]);
  expect(errors.firstSince(31)).toBeUndefined();
});

it("is, of the whole run, that of its outermost failed span, whatever failed inside it before", () => {
  const spans = [failed("root"), failed("tool", { parentSpanId: "root", startedAt: 10 })];
  const decisions = [decision("d", 40, { parentSpanId: "root" })];
  expect(errorsOf({ spans, decisions }).ofRun()).toEqual({ spanId: "root", eventId: null, at: 100 });
  expect(errorsOf({ decisions }).ofRun()).toEqual({ spanId: null, eventId: null, at: 100 });
});

it("takes time in proportion to the spans: nested, in a ring, beside each other or inside of many", () => {
  const COUNT = 100_000;
  const ids = Array.from({ length: COUNT }, (_, index) => `${index}`);
  const shapes: BlameSpan<Id>[][] = [
    ids.map((id, index) => failed(id, { parentSpanId: ids[index - 1] ?? null })),
    ids.map((id, index) => failed(id, { parentSpanId: ids[(index + 1) % COUNT] ?? null })),
    ids.map((id) => failed(id, { parentSpanId: "missing" })),
    ids.map((id, index) =>
      span(id, { parentSpanId: ids[Math.min(index, 50_000) - 1] ?? null, isFailed: index > 50_000 }),
    ),
  ];
  for (const spans of shapes) {
    const decisions = ids.map((id, index) => decision(id, index % 7, { parentSpanId: id }));
    const workedMs = startCpuStopwatch();
    const errors = errorsOf({ spans, decisions });
    expect(errors.list(100).length).toBeGreaterThan(0);
    expect(errors.ofTrace()).toBeDefined();
    // An ancestor at a time, it would take minutes.
    expect(workedMs()).toBeLessThan(5_000);
  }
});
