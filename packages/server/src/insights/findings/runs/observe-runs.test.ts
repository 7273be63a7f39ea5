import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { DecisionFact, DecisionFacts } from "../../../decision-facts/decision-facts.ts";
import { encodeDecisionFacts } from "../../../decision-facts/encode-decision-facts.ts";
import { observeRuns, type RecordedRun } from "./observe-runs.ts";

const fact = (step: number, overrides: Partial<DecisionFact> = {}): DecisionFact => ({
  signature: 7,
  step,
  type: "TOOL_SELECTION",
  outcome: 0,
  position: 0,
  isSameTurn: false,
  isReaction: false,
  isOffered: true,
  errorKind: 0,
  costUsd: null,
  durationMs: null,
  drawn: 0,
  ...overrides,
});
let lastId = 0;
const run = (decisions: DecisionFact[], facts: Partial<DecisionFacts> = {}): RecordedRun => ({
  id: `run ${++lastId}`,
  status: "COMPLETED",
  situation: "",
  startedAtMs: 0,
  facts: encodeDecisionFacts({
    release: 0,
    cluster: 0,
    messageKind: 0,
    decisions,
    fingerprints: [],
    ...facts,
  }),
});
const observe = (runs: RecordedRun[]) => runInTimeSlices(observeRuns(runs));

it("makes turns of decisions, with the first error of each and whether it answers one", async () => {
  const { runs } = await observe([
    run([
      fact(50),
      fact(60),
      fact(70, { isSameTurn: true, errorKind: 4711 }),
      fact(80, { isSameTurn: true, errorKind: 4712 }),
      fact(50, { isReaction: true }),
    ]),
  ]);
  expect(runs[0]).toMatchObject({
    turns: [[0], [1, 2, 3], [0]],
    errors: [null, 4711, null],
    reactions: [false, false, true],
    messageKind: null,
    weight: 1,
    isScoredBad: false,
  });
});

it("numbers steps as they appear, and says what each option stands for", async () => {
  const { options } = await observe([
    run([fact(50), fact(60, { isOffered: false })]),
    run([fact(60, { isOffered: false }), fact(50, { isOffered: false })]),
  ]);
  expect(options).toEqual([
    { step: 50, signature: 7, type: "TOOL_SELECTION", decisions: 2, firstDecisions: 1, isObserved: false },
    { step: 60, signature: 7, type: "TOOL_SELECTION", decisions: 2, firstDecisions: 1, isObserved: true },
  ]);
});

it("puts runs of one session together, and lets others stand alone", async () => {
  const { runs } = await observe([
    run([fact(1)], { cluster: 9 }),
    run([fact(1)]),
    run([fact(1)], { cluster: 9 }),
    run([fact(1)]),
  ]);
  const [session, alone, sameSession, alsoAlone] = runs.map(({ cluster }) => cluster);
  expect(session).toBe(sameSession);
  expect(new Set([session, alone, alsoAlone]).size).toBe(3);
});

it("tells situations and releases apart, and takes the kind of the message", async () => {
  const { runs } = await observe([
    { ...run([fact(1)], { release: 5, messageKind: 6 }), situation: "a" },
    { ...run([fact(1)]), situation: "b" },
    { ...run([fact(1)]), situation: "a" },
  ]);
  expect(runs.map(({ situation, release, messageKind }) => [situation, release, messageKind])).toEqual([
    [0, 5, 6],
    [1, 0, null],
    [0, 0, null],
  ]);
});

it("lets a run stand for as many as its probability says, at most 1,000", async () => {
  const { runs } = await observe(
    [undefined, null, 1, 0.1, 1e-9].map((probability) => ({
      ...run([fact(1)]),
      probability: probability ?? null,
    })),
  );
  expect(runs.map(({ weight }) => weight)).toEqual([1, 1, 1, 10, 1_000]);
});

it("keeps what was drawn, by place and option", async () => {
  const { runs } = await observe([
    run([fact(50), fact(60, { drawn: 0.5, signature: 8 })]),
    run([fact(60, { drawn: 0.25 })]),
    run([fact(60)]),
  ]);
  expect(runs.map(({ draws }) => draws)).toEqual([
    [{ place: 8, option: 1, probability: 0.5 }],
    [{ place: 7, option: 1, probability: 0.25 }],
    undefined,
  ]);
});

it("leaves out facts of another version", async () => {
  const other = run([fact(1)]);
  other.facts[0] = 1;
  expect((await observe([other, run([fact(1)])])).runs).toHaveLength(1);
});
