// Simulates agents of which nothing is wrong, without a server, and counts how often alert rules fire: with the functions that check
// rules, at each minute of 30 days. Then it lets rates rise, and says how long rules take to notice. Passes if the sensitivity `normal`
// has at most 0.3 false alarms an agent in 30 days in every row.
import { parseArgs } from "node:util";
import { type DecisionRule, signatureToHex } from "@whytrace/contract";
import { runTrial } from "@whytrace/testing/trial.ts";
import { decided, unknown } from "../../../packages/server/src/alerts/check/evaluation.ts";
import { isSettled } from "../../../packages/server/src/alerts/check/read-past.ts";
import {
  DurationWindow,
  type MinuteRow,
  MinuteSums,
} from "../../../packages/server/src/alerts/preview/minute-sums.ts";
import { type History, replayRule } from "../../../packages/server/src/alerts/preview/replay-rule.ts";
import { parseRule } from "../../../packages/server/src/alerts/rules/parse-rule.ts";
import { agentHash } from "../../../packages/server/src/decision-facts/agent-hash.ts";
import { checkRule } from "../../../packages/server/src/insights/drift/check-rule.ts";
import { figuresKey } from "../../../packages/server/src/insights/drift/side-figures.ts";
import { drawBinomial } from "../../../packages/server/src/insights/statistics/agreement/draw-binomial.ts";
import { driftTest } from "../../../packages/server/src/insights/statistics/drift-test.ts";
import { seededRandom } from "../../../packages/server/src/insights/statistics/hypothesis-tests/seeded-random.ts";

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "40" },
    rises: { type: "string", default: "80" },
    /** Releases that are held against a decision rule. */
    releases: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const AGENTS = Number(values.agents);
const RISES = Number(values.rises);
const RELEASES = Number(values.releases);
const MAX_FALSE_ALARMS = 0.3;

const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const PAST = 15 * DAY;
const SHOWN = 30 * DAY;
const SENSITIVITIES = ["high", "normal", "low"] as const;

interface World {
  name: string;
  perHour: (minute: number) => number;
  rate: number;
  /** How much the rate of an hour differs from that of others: the correlation of two runs of an hour. */
  correlation?: number;
  /** Runs that begin and end together. */
  cluster?: number;
  lagMinutes?: number;
}

const steady = (perHour: number) => () => perHour;
const WORLDS: World[] = [
  { name: "20 an hour, 5 % bad", perHour: steady(20), rate: 0.05 },
  { name: "100, 2 %", perHour: steady(100), rate: 0.02 },
  { name: "100, 10 %", perHour: steady(100), rate: 0.1 },
  {
    name: "100 by day, few by night, 5 %",
    perHour: (minute) => (minute % DAY < DAY / 2 ? 100 : 4),
    rate: 0.05,
  },
  { name: "100, 10 %, hours differ (0.02)", perHour: steady(100), rate: 0.1, correlation: 0.02 },
  { name: "100, 10 %, hours differ (0.1)", perHour: steady(100), rate: 0.1, correlation: 0.1 },
  { name: "80 in clusters of 4, 10 %", perHour: steady(80), rate: 0.1, cluster: 4 },
  { name: "100, 10 %, runs take 10 minutes", perHour: steady(100), rate: 0.1, lagMinutes: 10 },
];

/** The runs of an agent by minute. From `riseAt` on, its rate is `risenRate`. */
function drawRows(
  { perHour, rate, correlation = 0, cluster = 1 }: World,
  minutes: number,
  random: () => number,
  rise?: { at: number; rate: number },
): MinuteRow[] {
  const rows: MinuteRow[] = [];
  let hourly = { good: rate, risen: rise?.rate ?? rate };
  for (let minute = 0; minute < minutes; minute += 1) {
    if (minute % 60 === 0)
      hourly = {
        good: drawRate(rate, correlation, random),
        risen: drawRate(rise?.rate ?? rate, correlation, random),
      };
    const groups = drawPoisson(perHour(minute) / 60 / cluster, random);
    const current = rise && minute >= rise.at ? hourly.risen : hourly.good;
    const runs = groups * cluster;
    const bad = drawBinomial(groups, current, random) * cluster;
    const costs = Array.from({ length: runs }, () => drawLogNormal(random));
    rows.push({
      minute,
      runs,
      bad,
      costs: runs,
      costSum: costs.reduce((sum, one) => sum + one, 0),
      costSquares: costs.reduce((sum, one) => sum + one * one, 0),
    });
  }
  return rows;
}

function drawPoisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let [count, product] = [0, random()];
  while (product > limit) {
    count += 1;
    product *= random();
  }
  return count;
}

const drawNormal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** With the mean 1, and as skewed as costs and durations are. */
const drawLogNormal = (random: () => number) => Math.exp(0.8 * drawNormal(random) - 0.32);
/** The 95th percentile of `drawLogNormal`. */
const P95 = Math.exp(0.8 * 1.6448536 - 0.32);

/** From a beta distribution with this mean, in which two runs have the correlation. */
function drawRate(rate: number, correlation: number, random: () => number): number {
  if (correlation === 0 || rate >= 1) return rate;
  const size = 1 / correlation - 1;
  const [good, bad] = [drawGamma(rate * size, random), drawGamma((1 - rate) * size, random)];
  return good / (good + bad);
}

/** Marsaglia and Tsang. */
function drawGamma(shape: number, random: () => number): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

const range = (days: number, lagMinutes = 0) => ({
  fromMs: 0,
  shownFromMs: PAST * MINUTE_MS,
  toMs: (PAST + days) * MINUTE_MS,
  lagMinutes,
  stepMinutes: 1,
});
const rule = (body: object) => parseRule({ name: "r", agent: "a", ...body });
const pastRule = (sensitivity: string) => rule({ kind: "failure_rate", comparedWith: "past", sensitivity });
const sumsOf = (rows: MinuteRow[]): History => ({
  sums: new MinuteSums(rows.length, rows),
  durations: undefined,
});
const format = (value: number) => (value === 0 ? "0" : value.toFixed(2)).padStart(6);

function falseAlarms(world: World, seed: number): number[] {
  const fired = SENSITIVITIES.map(() => 0);
  for (let agent = 0; agent < AGENTS; agent += 1) {
    const random = seededRandom(seed * 1_000 + agent);
    const history = sumsOf(drawRows(world, PAST + SHOWN, random));
    for (const [at, sensitivity] of SENSITIVITIES.entries())
      fired[at] =
        (fired[at] ?? 0) +
        replayRule(pastRule(sensitivity), history, range(SHOWN, world.lagMinutes)).firings.length;
  }
  return fired.map((count) => count / AGENTS);
}

/** The kinds that have a limit: nothing is wrong, and the limit is so far from what is usual. */
const LIMITED: { name: string; body: object; of: "runs" | "scores" | "durations" }[] = [
  { name: "failure_rate, 10 %, above 15 %", body: { kind: "failure_rate", above: 0.15 }, of: "runs" },
  { name: "failure_rate, 10 %, above 20 %", body: { kind: "failure_rate", above: 0.2 }, of: "runs" },
  { name: "cost_per_run, $1, above $1.20", body: { kind: "cost_per_run", above: 1.2 }, of: "runs" },
  { name: "cost_per_run, $1, above $1.50", body: { kind: "cost_per_run", above: 1.5 }, of: "runs" },
  { name: "cost_per_day, $2400, above $2640", body: { kind: "cost_per_day", above: 2_640 }, of: "runs" },
  {
    name: "score_mean, 0.8, below 0.75",
    body: { kind: "score_mean", score: "s", below: 0.75 },
    of: "scores",
  },
  { name: "score_mean, 0.8, below 0.7", body: { kind: "score_mean", score: "s", below: 0.7 }, of: "scores" },
  {
    name: "duration_p95, above 1.2 times",
    body: { kind: "duration_p95", above: 1.2 * P95 },
    of: "durations",
  },
  {
    name: "duration_p95, above 1.5 times",
    body: { kind: "duration_p95", above: 1.5 * P95 },
    of: "durations",
  },
  { name: "no_runs for 15 minutes", body: { kind: "no_runs", forMinutes: 15 }, of: "runs" },
  { name: "no_runs for 60 minutes", body: { kind: "no_runs", forMinutes: 60 }, of: "runs" },
];

function limitedAlarms({ body, of }: (typeof LIMITED)[number], seed: number): number {
  let fired = 0;
  for (let agent = 0; agent < AGENTS; agent += 1) {
    const random = seededRandom(seed * 1_000 + agent);
    const rows = drawRows(
      { name: "", perHour: steady(100), rate: of === "scores" ? 0.8 : 0.1 },
      PAST + SHOWN,
      random,
    );
    // Four in five scores are 1, the others 0.
    const scored = rows.map((row) => ({ ...row, costSum: row.bad, costSquares: row.bad }));
    const history = sumsOf(of === "scores" ? scored : rows);
    const durations =
      of === "durations"
        ? new DurationWindow(
            rows.flatMap(({ minute, runs }) =>
              Array.from({ length: runs }, () => ({ minute, durationMs: drawLogNormal(random) })),
            ),
          )
        : undefined;
    fired += replayRule(rule(body), { ...history, durations }, range(SHOWN)).firings.length;
  }
  return fired / AGENTS;
}

/**
 * A release of 100 decisions an hour is tested for drift when `isAgain` says so, until it has 5,000. Returns in how many of 100 releases
 * without any drift it is seen.
 */
function driftAlarms(seed: number, isAgain: (decisions: number, tested: number) => boolean): number {
  const shares = [0.6, 0.25, 0.1, 0.05];
  const random = seededRandom(seed);
  const add = (counts: number[]) => {
    let left = random();
    const option = shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    counts[Math.max(0, option)] = (counts[Math.max(0, option)] ?? 0) + 1;
  };
  const side = (counts: number[]) => ({
    options: counts.map((chosen) => ({ chosen, squares: chosen, products: chosen })),
  });
  let seen = 0;
  const releases = 20 * AGENTS;
  for (let release = 0; release < releases; release += 1) {
    const [base, current] = [shares.map(() => 0), shares.map(() => 0)];
    for (let i = 0; i < 5_000; i += 1) add(base);
    let tested = 0;
    for (let decisions = 100; decisions <= 5_000; decisions += 100) {
      for (let i = 0; i < 100; i += 1) add(current);
      if (!isAgain(decisions, tested)) continue;
      tested = decisions;
      const { p, distance } = driftTest(side(base), side(current));
      if (p === null || p >= 0.01 || distance < 0.05) continue;
      seen += 1;
      break;
    }
  }
  return (100 * seen) / releases;
}

/**
 * A decision rule says that an option is chosen in at most so many decisions. A release of 100 decisions an hour, which chooses it in one
 * of four, is tested until it has 5,000, as the server does. Returns in how many of 100 such releases the rule fires.
 */
function decisionRuleAlarms(seed: number, maxShare: number): number {
  const SHARE = 0.25;
  const random = seededRandom(seed);
  const [signature, step] = [1, 1];
  const decisionRule: DecisionRule = {
    id: "1",
    agent: "a",
    signature: signatureToHex(signature),
    type: "TOOL_SELECTION",
    step: step.toString(16).padStart(8, "0"),
    option: "o",
    kind: "share",
    minShare: null,
    maxShare,
    note: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    createdBy: null,
  };
  const option = (chosen: number) => ({
    chosen,
    squares: chosen,
    products: chosen,
    offered: chosen,
    open: 0,
    sample: { traceId: "t", position: 0 },
  });
  const agent = agentHash(decisionRule.agent);
  const isKept = (chosen: number, decisions: number) => {
    const options = new Map([
      [step, option(chosen)],
      [step + 1, option(decisions - chosen)],
    ]);
    const figures = { agent, signature, type: decisionRule.type, options };
    return checkRule(decisionRule, new Map([[figuresKey(agent, signature), figures]])).isKept;
  };
  let fired = 0;
  for (let release = 0; release < RELEASES; release += 1) {
    let chosen = 0;
    let tested = 0;
    for (let decisions = 100; decisions <= 5_000; decisions += 100) {
      chosen += drawBinomial(100, SHARE, random);
      if (isSettled("decision_rule", released(tested), released(decisions))) break;
      tested = decisions;
      if (isKept(chosen, decisions)) continue;
      fired += 1;
      break;
    }
  }
  return (100 * fired) / RELEASES;
}

const released = (decisions: number) => ({
  ...(decisions === 0 ? unknown(0, "none") : decided({ value: 0, low: null, high: null }, decisions, false)),
  release: "2",
});

const RAISED: { world: World; to: number }[] = [
  { world: { name: "100 an hour, 5 → 100 %", perHour: steady(100), rate: 0.05 }, to: 1 },
  { world: { name: "100 an hour, 10 → 30 %", perHour: steady(100), rate: 0.1 }, to: 0.3 },
  { world: { name: "20 an hour, 5 → 50 %", perHour: steady(20), rate: 0.05 }, to: 0.5 },
  { world: { name: "100 an hour, 10 → 20 %", perHour: steady(100), rate: 0.1 }, to: 0.2 },
  { world: { name: "20 an hour, 5 → 20 %", perHour: steady(20), rate: 0.05 }, to: 0.2 },
  {
    world: { name: "10 → 30 %, hours differ (0.02)", perHour: steady(100), rate: 0.1, correlation: 0.02 },
    to: 0.3,
  },
];

/** Minutes from the rise to the message, and in how many of 100 cases it came within a day. */
function noticed({ world, to }: (typeof RAISED)[number], seed: number): string[] {
  const minutes = SENSITIVITIES.map((): number[] => []);
  const riseAt = PAST + 60;
  for (let agent = 0; agent < RISES; agent += 1) {
    const random = seededRandom(seed * 1_000 + agent);
    const history = sumsOf(drawRows(world, PAST + DAY + 60, random, { at: riseAt, rate: to }));
    for (const [at, sensitivity] of SENSITIVITIES.entries()) {
      const { firings } = replayRule(pastRule(sensitivity), history, range(DAY + 60));
      const first = firings.find(({ from }) => from >= riseAt * MINUTE_MS);
      if (first) minutes[at]?.push(first.from / MINUTE_MS - riseAt);
    }
  }
  return minutes.map((found) => {
    const share = Math.round((100 * found.length) / RISES);
    if (share < 50) return `${share} %`.padStart(12);
    const median = found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
    return `${Math.round(median)}${share < 100 ? ` (${share} %)` : ""}`.padStart(12);
  });
}

await runTrial(async () => {
  const seed = Number(values.seed);
  let hasPassed = true;
  console.log(`False alarms an agent in 30 days, ${AGENTS} agents, window 60 minutes, checked each minute`);
  console.log(`${"failure_rate against the past".padEnd(40)}   high normal    low`);
  for (const [at, world] of WORLDS.entries()) {
    const fired = falseAlarms(world, seed + at);
    console.log(`${world.name.padEnd(40)} ${fired.map(format).join(" ")}`);
    hasPassed &&= (fired[1] ?? 0) <= MAX_FALSE_ALARMS;
  }
  console.log("\nOther kinds, 100 runs an hour, by the distance of the limit");
  for (const [at, one] of LIMITED.entries())
    console.log(`${one.name.padEnd(40)} ${format(limitedAlarms(one, seed + 100 + at))}`);
  const drift = driftAlarms(
    seed + 200,
    (decisions, tested) => !isSettled("drift", released(tested), released(decisions)),
  );
  const eachHour = driftAlarms(seed + 200, () => true);
  console.log(
    `drift, of 100 releases without any       ${format(drift)} (tested each hour: ${format(eachHour).trim()})`,
  );
  for (const maxShare of [0.25, 0.275, 0.3])
    console.log(
      `${`decision_rule, 25 %, at most ${(100 * maxShare).toFixed(1)} %`.padEnd(40)} ${format(decisionRuleAlarms(seed + 250, maxShare))} of 100 releases`,
    );
  console.log(`\nMinutes from a rise to the message, median of ${RISES} agents, and how many within a day`);
  console.log(`${"".padEnd(40)} ${SENSITIVITIES.map((one) => one.padStart(12)).join(" ")}`);
  for (const [at, one] of RAISED.entries())
    console.log(`${one.world.name.padEnd(40)} ${noticed(one, seed + 300 + at).join(" ")}`);
  return hasPassed;
});
