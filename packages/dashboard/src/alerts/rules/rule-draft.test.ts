import { expect, it } from "vitest";
import type { AlertRule } from "../model/alert-types.ts";
import { isComplete, toDraft, toFields } from "./rule-draft.ts";

const stored: AlertRule = {
  id: "1",
  kind: "failure_rate",
  name: "Bad",
  agent: "support",
  above: 0.07,
  comparedWith: null,
  windowMinutes: 60,
  forMinutes: 10,
  sensitivity: "normal",
  renotifyHours: null,
  channels: null,
  mail: true,
  severity: "error",
  state: "ok",
  reason: null,
  value: null,
  runs: 0,
  since: "2026-01-01T00:00:00.000Z",
  createdAt: "2026-01-01T00:00:00.000Z",
  below: null,
  score: null,
  mutedUntil: null,
};

it("shows a rate in per cent and sends it as a share, unchanged by editing nothing", () => {
  expect(toDraft(stored, "").limit).toBe("7");
  expect(toFields(toDraft(stored, "")).above).toBeCloseTo(0.07, 12);
  expect(toFields(toDraft({ ...stored, kind: "duration_p95", above: 6_000 }, "")).above).toBe(6_000);
});

it("sends only the fields that the kind of rule has", () => {
  const draft = toDraft(undefined, "support");
  expect(toFields(draft)).toEqual({
    kind: "failure_rate",
    name: "support fails more than usual",
    agent: "support",
    windowMinutes: 60,
    forMinutes: 10,
    comparedWith: "past",
    sensitivity: "normal",
    renotifyHours: null,
    mail: true,
    severity: "error",
  });
  expect(toFields({ ...draft, kind: "no_runs" })).not.toHaveProperty("windowMinutes");
});

it("is complete once agent, limit and score are given where they are needed", () => {
  const draft = toDraft(undefined, "");
  expect(isComplete(draft)).toBe(false);
  expect(isComplete({ ...draft, agent: "support" })).toBe(true);
  expect(isComplete({ ...draft, kind: "cost_per_day" })).toBe(false);
  expect(isComplete({ ...draft, kind: "cost_per_day", limit: "50" })).toBe(true);
  expect(isComplete({ ...draft, kind: "score_mean", agent: "a", limit: "0.5" })).toBe(false);
});
