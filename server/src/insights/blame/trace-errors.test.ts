import { describe, expect, it } from "vitest";
import { decisionsBefore } from "./decisions-before.ts";
import { type BlameDecision, type BlameSpan, TraceErrors, type TraceRecords } from "./trace-errors.ts";

const span = (id: string, overrides: Partial<BlameSpan> = {}): BlameSpan => ({
  id,
  parentSpanId: null,
  name: id,
  status: "COMPLETED",
  statusMessage: null,
  startedAt: 0,
  endedAt: 100,
  ...overrides,
});
const decision = (id: string, timestamp: number, overrides: Partial<BlameDecision> = {}): BlameDecision => ({
  id,
  type: "ROUTING",
  parentSpanId: null,
  timestamp,
  ...overrides,
});
const failed = (id: string, overrides: Partial<BlameSpan> = {}) =>
  span(id, { status: "ERROR", ...overrides });
const errorsOf = (records: Partial<TraceRecords>) =>
  new TraceErrors({
    name: "agent",
    status: "ERROR",
    startedAt: 0,
    endedAt: 100,
    spans: [],
    decisions: [],
    events: [],
    ...records,
  });

describe("the error of a span", () => {
  it("is that of the last span that failed inside it, however deep", () => {
    const errors = errorsOf({
      spans: [
        failed("root"),
        span("chain", { parentSpanId: "root" }),
        failed("first", { parentSpanId: "chain", startedAt: 10 }),
        failed("second", { parentSpanId: "chain", startedAt: 20, statusMessage: "HTTP 409" }),
      ],
    });
    expect(errors.ofSpan("root")).toEqual({ spanId: "second", name: "second", message: "HTTP 409", at: 20 });
    expect(errors.ofTrace()?.spanId).toBe("second");
    expect(errors.ofSpan("first")?.spanId).toBe("first");
    expect(errors.list().map(({ spanId }) => spanId)).toEqual(["first", "second"]);
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
    expect(errors.spansAround("a")).toEqual(new Set(["a", "b"]));
  });

  it("is an event's if the span did not fail, and none if nothing did", () => {
    const errors = errorsOf({
      status: "COMPLETED",
      spans: [span("calm"), span("odd")],
      events: [{ spanId: "odd", name: "quota", timestamp: 7 }],
    });
    expect(errors.ofSpan("odd")).toEqual({ spanId: "odd", name: "quota", message: null, at: 7 });
    expect(errors.ofSpan("calm")).toBeUndefined();
    expect(errors.ofSpan("unknown")).toBeUndefined();
  });
});

describe("the error of a trace", () => {
  it("is the trace itself if nothing in it failed", () => {
    const errors = errorsOf({ endedAt: null, decisions: [decision("d", 30)] });
    expect(errors.ofTrace()).toEqual({ spanId: null, name: "agent", message: null, at: 30 });
    expect(errorsOf({ status: "COMPLETED" }).ofTrace()).toBeUndefined();
  });

  it("is listed once if an event of the failed span reports it, too", () => {
    const errors = errorsOf({
      spans: [failed("tool", { startedAt: 10 })],
      events: [
        { spanId: "tool", name: "exception", timestamp: 12 },
        { spanId: null, name: "quota", timestamp: 3 },
      ],
    });
    expect(errors.list().map(({ name }) => name)).toEqual(["quota", "tool"]);
  });
});

it("takes decisions before the error, the nearest first; a reaction in the same millisecond comes after it", () => {
  const decisions = [
    decision("early", 1),
    decision("same", 10),
    decision("retry", 10, { type: "RETRY" }),
    decision("near", 9),
    decision("near too", 9),
    decision("late", 11),
  ];
  const before = decisionsBefore(decisions, { spanId: null, name: "", message: null, at: 10 });
  expect(before.map(({ id }) => id)).toEqual(["same", "near too", "near", "early"]);
});
