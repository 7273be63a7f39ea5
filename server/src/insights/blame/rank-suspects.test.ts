import { MAX_SUSPECTS } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { blameFailure } from "@whytrace/testing/agent-simulator/blame-failure.ts";
import { REGIMES } from "@whytrace/testing/agent-simulator/regimes.ts";
import { RunCounts } from "@whytrace/testing/agent-simulator/run-counts.ts";
import { simulateRun } from "@whytrace/testing/agent-simulator/simulate-run.ts";
import { SimulatedAgent } from "@whytrace/testing/agent-simulator/simulated-agent.ts";
import { simulatedFacts } from "@whytrace/testing/agent-simulator/simulated-facts.ts";
import { describe, expect, it } from "vitest";
import { NO_COUNTS } from "./blame-counts.ts";
import { type Candidate, type ChoiceCounts, MAX_RANKED, rankSuspects } from "./rank-suspects.ts";

const counts = (decisions: number, bad: number, sameErrorRuns = 0): ChoiceCounts => ({
  decisions,
  bad,
  runs: decisions,
  sameErrorRuns,
});
const candidate = (chosen: ChoiceCounts, others: ChoiceCounts, isReaction = false): Candidate => ({
  isReaction,
  chosen,
  others,
});
const AGENT = counts(2_000, 200, 60);

describe("without earlier runs", () => {
  it("suspects no decision, and lists the nearest first", () => {
    const unknown = candidate(NO_COUNTS, NO_COUNTS);
    const ranked = rankSuspects([unknown, unknown, unknown], NO_COUNTS);
    expect(ranked.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(ranked.map(({ suspicion }) => suspicion)).toEqual(["none", "none", "none"]);
  });

  it("returns nothing if nothing was decided", () => {
    expect(rankSuspects([], NO_COUNTS)).toEqual([]);
  });
});

describe("with earlier runs", () => {
  it("puts the choice first after which this error comes more often than after its alternatives", () => {
    const ranked = rankSuspects(
      [
        candidate(counts(500, 50, 15), counts(500, 50, 15)),
        candidate(counts(200, 120, 60), counts(300, 30, 0)),
      ],
      AGENT,
    );
    expect(ranked.map(({ index, suspicion }) => [index, suspicion])).toEqual([
      [1, "likely"],
      [0, "none"],
    ]);
  });

  it("rests on all failures while this error is new", () => {
    const [first] = rankSuspects(
      [candidate(counts(300, 30), counts(300, 30)), candidate(counts(200, 120, 1), counts(300, 15))],
      counts(2_000, 200, 1),
    );
    expect(first).toMatchObject({ index: 1, suspicion: "likely" });
  });

  it("does not call a choice likely because of a single failure", () => {
    const [first] = rankSuspects([candidate(counts(1, 1, 1), counts(40, 2))], AGENT);
    expect(first?.suspicion).not.toBe("likely");
  });

  it("suspects a retry last, which only answers an error", () => {
    const guilty = [counts(200, 150, 60), counts(300, 30, 5)] as const;
    const ranked = rankSuspects([candidate(...guilty, true), candidate(...guilty)], AGENT);
    expect(ranked.map(({ index }) => index)).toEqual([1, 0]);
  });
});

it("finds most of the faults that were planted in simulated agents", () => {
  const ranks = Object.values(REGIMES).flatMap((regime, index) => {
    const agent = new SimulatedAgent(index + 1, regime);
    const random = new Random(index + 1);
    const history = new RunCounts();
    for (let run = 0; run < 400; run++) {
      const facts = simulatedFacts(simulateRun(agent, random));
      if (facts) history.add(facts);
    }
    return Array.from({ length: 200 }, () => simulateRun(agent, random)).flatMap(
      (run) => blameFailure(run, history)?.rank ?? [],
    );
  });
  const topShare = (ranking: "blame" | "nearest") =>
    ranks.filter((rank) => rank[ranking] === 1).length / ranks.length;
  expect(ranks.length).toBeGreaterThan(100);
  expect(topShare("blame")).toBeGreaterThan(0.95);
  expect(topShare("nearest")).toBeLessThan(0.5);
});

it("never puts a decision that is farther away than those that are ranked among the suspects that are returned", () => {
  const weakest = candidate(NO_COUNTS, counts(1e9, 1e9, 1e9), true);
  const strongest = candidate(counts(1e9, 1e9, 1e9), counts(1e9, 0));
  const ranked = rankSuspects(
    Array.from({ length: 1_000 }, (_, index) => (index < MAX_SUSPECTS ? weakest : strongest)),
    AGENT,
  ).slice(0, MAX_SUSPECTS);
  expect(Math.max(...ranked.map(({ index }) => index))).toBeGreaterThan(MAX_SUSPECTS);
  expect(Math.max(...ranked.map(({ index }) => index))).toBeLessThan(MAX_RANKED);
});
