import { blameFailures } from "@whytrace/lab/worlds/agent-simulator/blame-failures.ts";
import { drawJudgedRuns } from "@whytrace/lab/worlds/agent-simulator/draw-judged-runs.ts";
import { countPauses } from "@whytrace/testing/count-pauses.ts";
import { decisionFact, decisionFacts } from "@whytrace/testing/samples/decision-facts.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { expect, it } from "vitest";
import { MAX_FACTS_DECISIONS } from "../../decision-facts/decision-facts.ts";
import { encodeDecisionFacts } from "../../decision-facts/encode-decision-facts.ts";
import { MAX_OPTIONS } from "../findings/runs/limit-options.ts";
import type { RecordedRun } from "../findings/runs/observe-runs.ts";
import { seededRandom } from "../statistics/hypothesis-tests/seeded-random.ts";
import { learnRuns, sizeOfLearnt } from "./learn-runs.ts";

/** A run that fails at its end if `errorKind` is not 0. */
function runOf(id: number, length: number, stepOf: (turn: number) => number, errorKind: number): RecordedRun {
  const decisions = Array.from({ length }, (_, turn) =>
    decisionFact({
      step: stepOf(turn),
      type: "TOOL_SELECTION",
      errorKind: turn === length - 1 ? errorKind : 0,
    }),
  );
  const facts = encodeDecisionFacts(decisionFacts({ decisions }));
  return {
    id: `${id}`,
    status: errorKind === 0 ? "COMPLETED" : "ERROR",
    situation: "",
    startedAtMs: 0,
    facts,
  };
}

it("learns from 1,000 runs of 80 tools in many small steps", () => {
  const random = seededRandom(1);
  const tool = () => Math.floor(random() * 80);
  const runs = Array.from({ length: 1_000 }, (_, index) => runOf(index, 14, tool, index % 4 === 0 ? 1 : 0));
  const { value, pauses } = countPauses(learnRuns(runs, "failed"));
  expect(pauses).toBeGreaterThan(1_000);
  expect(value.options).toHaveLength(80);
  expect(sizeOfLearnt(value)).toBeLessThan(16 * 1024 * 1024);
  const bad = value.counted.runs[0];
  if (!bad) throw new Error("no run");
  const blamed = countPauses(value.blamer.blame(bad));
  expect(blamed.value.suspects.length).toBeGreaterThan(0);
});

it.each([
  ["different options", (turn: number) => turn],
  ["one option", () => 1],
])(
  "blames a very long run for %s, in time and memory that grow with its turns",
  (_, stepOf) => {
    const long = volume(MAX_FACTS_DECISIONS);
    const runs = [runOf(0, long, stepOf, 0), runOf(1, long, stepOf, 1), runOf(2, 3, () => 1, 0)];
    const { value, pauses } = countPauses(learnRuns(runs, "failed"));
    expect(pauses).toBeGreaterThan(100);
    expect(value.options.length).toBeLessThanOrEqual(MAX_OPTIONS);
    expect(sizeOfLearnt(value)).toBeLessThan(32 * 1024 * 1024);
    const bad = value.counted.runs[1];
    if (!bad) throw new Error("no run");
    const { suspects } = countPauses(value.blamer.blame(bad)).value;
    for (const { turns } of suspects) for (const turn of turns.slice(0, 10)) expect(turn).toBeLessThan(long);
  },
  60_000,
);

it("puts the guilty decision first in most failures after 50 runs, when nothing is proven yet", () => {
  const seeds = Array.from({ length: 24 }, (_, seed) => seed);
  const blamed = seeds.flatMap((seed) => blameFailures(drawJudgedRuns("far", seed, 50), 10));
  const labelled = blamed.flatMap(({ rank }) => rank ?? []);
  expect(labelled.length).toBeGreaterThan(100);
  const shareOfFirst = (ranking: "blame" | "nearest") =>
    labelled.filter((rank) => rank[ranking] === 1).length / labelled.length;
  expect(shareOfFirst("blame")).toBeGreaterThan(0.7);
  expect(shareOfFirst("blame")).toBeGreaterThan(shareOfFirst("nearest") + 0.2);
});
