import { CODING } from "./agents/coding.ts";
import { RESEARCH } from "./agents/research.ts";
import type { Scenario } from "./agents/scenario.ts";
import { SUPPORT } from "./agents/support.ts";
import { REFUND } from "./agents/support-refund.ts";
import { TRIAGE } from "./agents/triage.ts";
import { VOICE } from "./agents/voice.ts";
import { demoRefund } from "./demo-refund.ts";
import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";
import { SimulatedRun } from "./simulated-run.ts";
import { snapshotAt } from "./snapshot-at.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** In the last minutes before `now`, only the fixed refund and the running traces start. */
const QUIET_MS = 3 * 60_000;

/** Separates the numbers of the ids from those of the simulation. */
const ID_SEED = 0x5bd1e995;

const SUPPORT_CHAT: Scenario[] = [REFUND, ...SUPPORT];
const ALL: Scenario[] = [REFUND, ...SUPPORT, ...CODING, ...RESEARCH, ...TRIAGE, ...VOICE];

interface DemoWeekOptions {
  /** Also determines the trace ids. A trace id belongs to one user, so each user needs another seed. */
  seed: number;
  now: Date;
  traces: number;
}

interface Plan {
  scenario: Scenario;
  startMs: number;
  sessionId: string | null;
  agentSessionSeed: number;
  turn: number;
  seed: number;
}

/** Simulates a plausible week of several agents up to `now`, oldest run first. */
export function* demoWeek(options: DemoWeekOptions): Generator<DemoTrace, void> {
  // The ids do not depend on `now`: loading the same seed again, a day later, replaces its traces.
  const ids = new Random(options.seed ^ ID_SEED);
  for (const trace of simulateWeek(options)) yield { ...trace, id: ids.uuid() };
}

function* simulateWeek({ seed, now, traces }: DemoWeekOptions): Generator<DemoTrace, void> {
  const random = new Random(seed);
  const nowMs = now.getTime();
  const running = traces < 4 ? 0 : Math.min(4, Math.ceil(traces / 40));
  const finished = Math.max(0, traces - 1 - running);
  for (const plan of planWeek(random, nowMs, finished)) {
    const trace = simulate(plan, nowMs);
    yield trace.endedAt !== null && Date.parse(trace.endedAt) > nowMs ? snapshotAt(trace, nowMs) : trace;
  }
  if (traces > 0) yield demoRefund(now, random.between(0, 2 ** 31));
  for (let index = 0; index < running; index++) yield runningTrace(random, nowMs);
}

function planWeek(random: Random, nowMs: number, count: number): Plan[] {
  const plans: Plan[] = [];
  while (plans.length < count) {
    const first = pickScenario(random, ALL);
    const hasSession = first.maxTurns > 0 && random.chance(0.85);
    const turns = hasSession ? random.between(1, first.maxTurns) : 1;
    const sessionId = hasSession ? `sess_${random.hex(8)}` : null;
    const agentSessionSeed = random.between(0, 2 ** 31);
    let startMs = randomStart(random, nowMs);
    for (let turn = 1; turn <= turns && plans.length < count && startMs < nowMs - QUIET_MS; turn++) {
      const scenario = turn > 1 && SUPPORT_CHAT.includes(first) ? pickScenario(random, SUPPORT_CHAT) : first;
      plans.push({ scenario, startMs, sessionId, agentSessionSeed, turn, seed: random.between(0, 2 ** 31) });
      startMs += random.between(40_000, 25 * 60_000);
    }
  }
  return plans.sort((one, other) => one.startMs - other.startMs);
}

const pickScenario = (random: Random, scenarios: Scenario[]) =>
  random.weighted(scenarios.map((one) => [one, one.weight] as const));

/** More runs by day than at night, half as many at the weekend, and more during the incident. */
function randomStart(random: Random, nowMs: number): number {
  // A share of recent runs makes the overview show activity at any time of day.
  if (random.chance(0.12)) return nowMs - QUIET_MS - random.between(0, 3 * HOUR_MS);
  for (;;) {
    const startMs = nowMs - QUIET_MS - Math.floor(random.next() * (WEEK_MS - QUIET_MS));
    const date = new Date(startMs);
    const byDay = 0.12 + 0.7 * Math.max(0, Math.sin(((date.getUTCHours() - 6) / 15) * Math.PI));
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (random.chance(byDay * (isWeekend ? 0.5 : 1) * (isIncident(startMs, nowMs) ? 1.2 : 1))) return startMs;
  }
}

/** The incident lasted from 10:00 to 17:00 UTC three days ago. */
function isIncident(startMs: number, nowMs: number): boolean {
  const day = Math.floor(nowMs / DAY_MS) - 3;
  return startMs >= day * DAY_MS + 10 * HOUR_MS && startMs < day * DAY_MS + 17 * HOUR_MS;
}

function simulate(
  { scenario, startMs, sessionId, agentSessionSeed, turn, seed }: Plan,
  nowMs: number,
): DemoTrace {
  const random = new Random(seed);
  const id = random.uuid();
  const run = new SimulatedRun(random, startMs, slowdownOf(scenario, 1 - (nowMs - startMs) / WEEK_MS));
  scenario.simulate(run, { turn, agentSessionSeed, isIncident: isIncident(startMs, nowMs) });
  const trace = run.finish({
    id,
    name: scenario.name,
    sessionId,
    tags: [...random.pick(scenario.tags)],
    metadata: {
      agent: scenario.name.split(":")[0],
      version: scenario.version,
      region: random.pick(["eu-west-1", "eu-north-1", "us-east-1"]),
    },
  });
  return random.chance(0.04) ? withoutCost(trace) : trace;
}

/** Coding and research become slower during the week, so that the charts show a trend. */
const slowdownOf = ({ name }: Scenario, weekProgress: number) =>
  /^(coding|research)/.test(name) ? 1 + 0.7 * weekProgress ** 2 : 1;

const withoutCost = (trace: DemoTrace): DemoTrace => ({
  ...trace,
  totalCost: null,
  spans: trace.spans.map((span) => ({ ...span, costUsd: null })),
  decisionPoints: trace.decisionPoints.map((decision) => ({ ...decision, costUsd: null })),
});

/** Simulates a run twice: first to learn its duration, then with a start that makes it still run at `now`. */
function runningTrace(random: Random, nowMs: number): DemoTrace {
  const plan: Plan = {
    scenario: pickScenario(random, [...CODING, ...RESEARCH, ...VOICE]),
    startMs: nowMs,
    sessionId: `sess_${random.hex(8)}`,
    agentSessionSeed: random.between(0, 2 ** 31),
    turn: 1,
    seed: random.between(0, 2 ** 31),
  };
  const durationMs = simulate(plan, nowMs).totalDuration ?? 0;
  const elapsedMs = Math.floor(durationMs * (0.35 + 0.5 * random.next()));
  return snapshotAt(simulate({ ...plan, startMs: nowMs - elapsedMs }, nowMs), nowMs);
}
