import type { TraceMetrics } from "@whytrace/contract";
import { expect, it } from "vitest";
import { metricChanges } from "./metric-changes.ts";

const metrics = (completed: number, bad: number, fields: Partial<TraceMetrics> = {}): TraceMetrics => ({
  traces: { RUNNING: 0, COMPLETED: completed, ERROR: bad },
  outcomes: { good: completed, bad, unknown: 0, open: 0 },
  costUsd: 2,
  tokens: 100,
  durationP50Ms: 10,
  durationP95Ms: 20,
  durationP99Ms: 30,
  ...fields,
});

it("says by how much metrics rose or fell, and nothing of those that did not change or are not known", () => {
  const changes = metricChanges(
    metrics(80, 20, { costUsd: 3, tokens: 50 }),
    metrics(45, 5, { costUsd: null }),
  );
  expect(changes).toEqual({
    traces: { text: "100 %", isUp: true },
    failureRate: { text: "10 points", isUp: true },
    tokens: { text: "50 %", isUp: false },
  });
});

it("compares nothing with a range that has less than a tenth of the traces, as when recording began at its end", () => {
  const total = metrics(900, 100);
  expect(metricChanges(total, metrics(99, 0))).toEqual({});
  expect(metricChanges(total, metrics(100, 0))).toMatchObject({ failureRate: { text: "10 points" } });
});

it("does not count how many times a metric rose by more than tenfold", () => {
  const changes = metricChanges(metrics(9, 1, { costUsd: 40 }), metrics(9, 1));
  expect(changes).toEqual({ costUsd: { text: "over 10×", isUp: true } });
});
