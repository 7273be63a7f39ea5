// Simulates runs of agents and asks the statistics of insights about them. Passes if 95 % intervals contain the true rate in 93 to
// 97 % of 200 runs that repeat a decision, and at most 1.2 % of equal distributions look like drift at 1 %. Also prints how much
// data it takes to find drift.
import { parseArgs } from "node:util";
import { DecisionSimulator } from "@whytrace/testing/samples/simulated-decisions.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { driftTest } from "../../../packages/server/src/insights/statistics/drift-test.ts";
import {
  wilsonInterval,
  wilsonIntervalBySession,
} from "../../../packages/server/src/insights/statistics/hypothesis-tests/wilson-interval.ts";

const { values } = parseArgs({
  options: {
    worlds: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const WORLDS = Number(values.worlds);
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

const PARTS = { coverage, driftNulls, driftPower };

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
        });
        if (!option) return false;
        const { low, high } = wilsonInterval(option.sums.failed, option.sums.decisions);
        if (low <= 0.1 && 0.1 <= high) plain += 1;
        const interval = wilsonIntervalBySession(option.sums);
        return interval.low <= 0.1 && 0.1 <= interval.high;
      });
      check(
        runs < 200 || (byRun >= 0.93 && byRun <= 0.97),
        `${runs} runs, correlation ${correlation}: ${percent(byRun)}; without design effect ${percent(plain / (4 * WORLDS))}`,
      );
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
