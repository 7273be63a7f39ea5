import { finishSteps } from "@whytrace/contract";
import { countPauses } from "@whytrace/testing/count-pauses.ts";
import { expect, it } from "vitest";
import { runCircumstances as inSteps, type StartedRun } from "./run-circumstances.ts";

const runCircumstances = (runs: readonly StartedRun[], isBad: readonly boolean[]) =>
  finishSteps(inSteps(runs, isBad));

const RUNS = 600;
const HOUR_MS = 3_600_000;
const MONDAY_MS = Date.parse("2026-11-16T00:00:00Z");

/** Runs of one week's working days, so that only what a test plants makes a difference. */
const runsOf = (hourOf: (index: number) => number, clusterOf: (index: number) => number) =>
  Array.from({ length: RUNS }, (_, index) => ({
    startedAtMs: MONDAY_MS + Math.floor(index / 120) * 24 * HOUR_MS + hourOf(index) * HOUR_MS,
    cluster: clusterOf(index),
  }));
const alone = runsOf(
  (index) => Math.floor((index % 120) / 5),
  (index) => index,
);
const isAtNight = (index: number) => index % 120 >= 110;

it("tells the runs of an incident apart from all others", () => {
  const isIncident = (index: number) => index >= 200 && index < 240;
  const circumstances = runCircumstances(
    alone,
    alone.map((_, index) => isIncident(index) || index % 20 === 0),
  );
  const incident = new Set(circumstances.filter((_, index) => isIncident(index)));
  const others = circumstances.filter((_, index) => !isIncident(index));
  expect(others.filter((circumstance) => incident.has(circumstance))).toEqual([]);
});

it("sees no incident in runs of a few minutes, which a script sends one kind after the other", () => {
  const atOnce = alone.map(({ cluster }, index) => ({ startedAtMs: MONDAY_MS + index * 900, cluster }));
  const circumstances = runCircumstances(
    atOnce,
    atOnce.map((_, index) => index < 40),
  );
  expect(new Set(circumstances).size).toBe(1);
});

it("tells hours of the day apart in which runs are bad more often", () => {
  const circumstances = runCircumstances(
    alone,
    alone.map((_, index) => (isAtNight(index) ? index % 5 < 3 : index % 11 === 0)),
  );
  expect(new Set(circumstances).size).toBe(2);
  expect(circumstances[115]).toBe(circumstances[239]);
  expect(circumstances[115]).not.toBe(circumstances[60]);
});

it("tells late runs of a session apart if they are bad more often, by how many runs it had before", () => {
  const inSessions = runsOf(
    () => 0,
    (index) => Math.floor(index / 12),
  );
  const circumstances = runCircumstances(
    inSessions,
    inSessions.map((_, index) => (index % 12 >= 9 ? index % 2 === 0 : index % 17 === 0)),
  );
  expect(new Set(circumstances).size).toBe(2);
  expect(circumstances[9]).toBe(circumstances[11]);
  expect(circumstances[9]).not.toBe(circumstances[3]);
});

it("gives all runs of working days one circumstance if none of these makes a difference", () => {
  const circumstances = runCircumstances(
    alone,
    alone.map((_, index) => index % 7 === 0),
  );
  expect(new Set(circumstances).size).toBe(1);
});

it("lets other work run after each search for a window", () => {
  const isBad = alone.map((_, index) => index % 7 === 0);
  expect(countPauses(inSteps(alone, isBad)).pauses).toBe(3);
});

it("tells weekends from weekdays, by UTC", () => {
  const instants = [
    "2026-11-13T23:59:59Z",
    "2026-11-14T00:00:00Z",
    "2026-11-15T23:59:59Z",
    "2026-11-16T00:00:00Z",
  ];
  const [friday, saturday, sunday, monday] = runCircumstances(
    instants.map((instant, cluster) => ({ startedAtMs: Date.parse(instant), cluster })),
    instants.map(() => false),
  );
  expect(saturday).toBe(sunday);
  expect(friday).toBe(monday);
  expect(friday).not.toBe(saturday);
});
