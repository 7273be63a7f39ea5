// Simulates runs of agents and asks the statistics of insights about them. Passes if 95 % intervals contain the true rate in 93 to
// 97 % of 200 runs that repeat a decision, at most 5 % of the Why lists accuse an option where all options are alike, at most
// 1.2 % of equal distributions look like drift at 1 %, and an option that only looks bad because it is chosen in hard cases
// is named so. Also prints how much data it takes to find a difference.
import { parseArgs } from "node:util";
import { DecisionSimulator } from "@whytrace/testing/simulated-decisions.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { driftTest } from "../server/src/insights/statistics/drift-test.ts";
import { whyComparisons } from "../server/src/insights/statistics/why-comparisons.ts";
import type { WhySignature } from "../server/src/insights/statistics/why-input.ts";
import { wilsonInterval, wilsonIntervalByRun } from "../server/src/insights/statistics/wilson-interval.ts";

const { values } = parseArgs({
  options: {
    worlds: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const WORLDS = Number(values.worlds);
const SIGNATURES = 300;
const SHARES = {
  "2 even": [0.5, 0.5],
  "2, one rare": [0.97, 0.03],
  "4 even": [0.25, 0.25, 0.25, 0.25],
  "4 skewed": [0.85, 0.1, 0.04, 0.01],
  "12 with a long tail": [0.5, 0.2, 0.1, 0.05, 0.05, 0.03, 0.02, 0.02, 0.01, 0.01, 0.005, 0.005],
};
const simulator = new DecisionSimulator(Number(values.seed));
const failures: string[] = [];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const repeat = (times: number, isHit: () => boolean) => {
  let hits = 0;
  for (let i = 0; i < times; i += 1) if (isHit()) hits += 1;
  return hits / times;
};
function check(isMet: boolean, text: string) {
  console.log(`  ${text}${isMet ? "" : "  FAILED"}`);
  if (!isMet) failures.push(text);
}

const PARTS = { coverage, nullLists, driftNulls, simpson, whyPower, driftPower };

await runTrial(async () => {
  for (const [name, part] of Object.entries(PARTS))
    if (values.only === undefined || values.only.split(",").includes(name)) part();
  return failures.length === 0;
});

function coverage() {
  console.log("Coverage of the 95 % interval, runs of 1 to 20 decisions, failure rate 10 %:");
  for (const runs of [200, 40])
    for (const correlation of [0.1, 0.3, 0.5, 0.95]) {
      let plain = 0;
      const byRun = repeat(4 * WORLDS, () => {
        const [option] = simulator.signature({
          runs,
          maxRepeats: 20,
          correlation,
          situations: [{ weight: 1, shares: [1], failureRates: [0.1] }],
        }).options;
        if (!option) return false;
        const { low, high } = wilsonInterval(option.sums.failed, option.sums.decisions);
        if (low <= 0.1 && 0.1 <= high) plain += 1;
        const interval = wilsonIntervalByRun(option.sums);
        return interval.low <= 0.1 && 0.1 <= interval.high;
      });
      check(
        runs < 200 || (byRun >= 0.93 && byRun <= 0.97),
        `${runs} runs, correlation ${correlation}: ${percent(byRun)}; without design effect ${percent(plain / (4 * WORLDS))}`,
      );
    }
}

/** A world in which all options of each signature are followed by the same, in every situation. */
function nullWorld(situations: number, maxRepeats: number, correlation: number): WhySignature[] {
  return Array.from({ length: SIGNATURES }, () => {
    const rate = [0.02, 0.05, 0.1, 0.3, 0.6][simulator.between(0, 4)] ?? 0.1;
    const shares = Array.from({ length: simulator.between(2, 5) }, () => simulator.between(1, 10));
    return simulator.signature({
      runs: Math.round(30 * 2 ** (simulator.between(0, 50) / 10)),
      maxRepeats,
      correlation,
      situations: Array.from({ length: situations }, (_, i) => ({
        weight: 1,
        shares: shares.map((share) => share * simulator.between(1, 3)),
        failureRates: shares.map(() => Math.min(0.9, rate * (1 + 0.7 * i))),
      })),
      // Drawing costs takes most of the time.
      ...(maxRepeats === 1 && { costUsd: shares.map(() => 0.01) }),
    });
  });
}

function nullLists() {
  console.log(
    `Lists with a false entry, ${WORLDS} worlds of ${SIGNATURES} signatures without any difference:`,
  );
  const settings = [
    ["one decision a run", 1, 1, 0],
    ["one decision a run, three situations, in which options are chosen differently often", 3, 1, 0],
    ["1 to 8 decisions a run, correlation 0.3", 1, 8, 0.3],
    ["1 to 8 decisions a run, correlation 0.8, three situations", 3, 8, 0.8],
  ] as const;
  for (const [label, situations, maxRepeats, correlation] of settings) {
    const share = repeat(WORLDS, () =>
      whyComparisons(nullWorld(situations, maxRepeats, correlation)).rows.some(
        ({ group }) => group === "worse",
      ),
    );
    check(share <= 0.05, `${label}: ${percent(share)}`);
  }
}

function driftNulls() {
  const sizes = [
    [25, 25],
    [200, 30],
    [500, 450],
    [5000, 700],
  ] as const;
  const times = WORLDS;
  console.log(`Drift at 1 % between equal distributions, ${times} times each:`);
  for (const [label, maxRepeats, correlation] of [
    ["one decision a run", 1, 0],
    ["1 to 8 decisions a run, correlation 0.3", 8, 0.3],
    ["1 to 8 decisions a run, correlation 0.8", 8, 0.8],
  ] as const) {
    let sum = 0;
    const parts: string[] = [];
    for (const [name, shares] of Object.entries(SHARES)) {
      const found = sizes.map(([base, current]) =>
        repeat(times, () => {
          const side = (runs: number) => simulator.choices({ runs, maxRepeats, correlation, shares });
          return (driftTest(side(base), side(current)).p ?? 1) < 0.01;
        }),
      );
      sum += found.reduce((total, share) => total + share, 0);
      parts.push(`${name} ${found.map(percent).join(", ")}`);
    }
    const share = sum / (sizes.length * parts.length);
    check(
      share <= 0.012,
      `${label}: ${(100 * share).toFixed(2)} % of ${times * sizes.length * parts.length}`,
    );
    console.log(`    runs 25/25, 200/30, 500/450, 5000/700: ${parts.join("; ")}`);
  }
}

function simpson() {
  console.log("An option that is chosen in hard cases (failures 30 %, otherwise 5 %), 5,000 runs:");
  const times = Math.ceil(WORLDS / 2);
  for (const [label, effect] of [
    ["harmless", 1],
    ["halves failures", 0.5],
    ["doubles failures", 2],
  ] as const) {
    const named = { confounded: 0, accused: 0, acquitted: 0 };
    for (let i = 0; i < times; i += 1) {
      const world = simulator.signature({
        runs: 5_000,
        maxRepeats: 1,
        correlation: 0,
        situations: [
          { weight: 0.3, shares: [0.8, 0.2], failureRates: [0.3 * effect, 0.3] },
          { weight: 0.7, shares: [0.2, 0.8], failureRates: [0.05 * effect, 0.05] },
        ],
      });
      const [row] = whyComparisons([world]).rows;
      if (row?.comparison?.isConfounded) named.confounded += 1;
      if (row?.group !== "worse") continue;
      if (row.comparison?.worst === 1) named.accused += 1;
      else named.acquitted += 1;
    }
    const text = `${label}: "depends on what went before" ${percent(named.confounded / times)}, called worse ${percent(named.accused / times)}, called better ${percent(named.acquitted / times)}`;
    const isRight =
      effect === 1
        ? named.accused + named.acquitted <= 0.07 * times
        : (effect < 1 ? named.acquitted : named.accused) >= 0.95 * times;
    check(isRight && named.confounded >= 0.95 * times, text);
  }
}

function whyPower() {
  console.log(
    `Found among ${SIGNATURES} signatures: one option, chosen in a quarter, fails so many times as often as the other (8 %):`,
  );
  const times = Math.max(1, Math.ceil(WORLDS / 50));
  for (const runs of [150, 400, 800, 1_600, 3_200]) {
    const cells = [2, 3, 5].map((times0) => {
      let found = 0;
      for (let i = 0; i < times; i += 1) {
        const signature = (factor: number) =>
          simulator.signature({
            runs,
            maxRepeats: 1,
            correlation: 0,
            situations: [{ weight: 1, shares: [0.25, 0.75], failureRates: [0.08 * factor, 0.08] }],
          });
        const planted = Array.from({ length: 10 }, () => signature(times0));
        const ids = new Set(planted.map((one) => one.signature));
        const others = Array.from({ length: SIGNATURES - planted.length }, () => signature(1));
        const { rows } = whyComparisons([...planted, ...others]);
        found +=
          rows.filter((row) => row.group === "worse" && ids.has(row.signature)).length / planted.length;
      }
      return `${times0} times ${percent(found / times)}`;
    });
    console.log(`  ${runs} decisions: ${cells.join(", ")}`);
  }
}

function driftPower() {
  console.log(
    "Drift found at 1 %: of 40, 30, 20 and 10 %, so many points move from the first to the second option:",
  );
  for (const runs of [50, 100, 300, 1_000, 5_000]) {
    const cells = [5, 10, 20, 30].map((points) => {
      const side = (moved: number) =>
        simulator.choices({
          runs,
          maxRepeats: 1,
          correlation: 0,
          shares: [0.4 - moved, 0.3 + moved, 0.2, 0.1],
        });
      const found = repeat(
        Math.ceil(WORLDS / 2),
        () => (driftTest(side(0), side(points / 100)).p ?? 1) < 0.01,
      );
      return `${points} points ${percent(found)}`;
    });
    console.log(`  ${runs} on each side: ${cells.join(", ")}`);
  }
}
