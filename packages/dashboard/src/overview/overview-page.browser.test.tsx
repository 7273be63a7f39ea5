import type { TraceMetrics, TraceStats } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

const metrics = (completed: number): TraceMetrics => ({
  traces: { RUNNING: 0, COMPLETED: completed, ERROR: 0 },
  outcomes: { good: completed, bad: 0, unknown: 0, open: 0 },
  costUsd: null,
  tokens: null,
  durationP50Ms: null,
  durationP95Ms: null,
  durationP99Ms: null,
});
const stats = (before: TraceMetrics): TraceStats => ({
  from: "2026-01-02T00:00:00.000Z",
  to: "2026-01-03T00:00:00.000Z",
  interval: "day",
  buckets: [{ ...metrics(50), start: "2026-01-02T00:00:00.000Z" }],
  total: metrics(50),
  before,
});

it("explains the arrows only if it shows one", async () => {
  const server = showPage("/", { "GET /api/stats/traces": stats(metrics(0)) });
  const footer = page.getByText(/^Grouped by trace start time/);
  await expect.element(footer).toBeVisible();
  expect(footer.element().textContent).toBe("Grouped by trace start time in UTC.");
  server.answer("GET /api/stats/traces", stats(metrics(25)));
  await server.refetch();
  await expect.element(page.getByText(/↑/)).toBeVisible();
  expect(footer.element().textContent).toContain("Arrows compare with the previous");
});
