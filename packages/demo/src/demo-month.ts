import { CODING } from "./agents/coding.ts";
import { RESEARCH } from "./agents/research.ts";
import type { Scenario } from "./agents/scenario.ts";
import { SUPPORT } from "./agents/support.ts";
import { REFUND } from "./agents/support-refund.ts";
import { TRIAGE } from "./agents/triage.ts";
import { VOICE } from "./agents/voice.ts";
import { demoRefund } from "./demo-refund.ts";
import { askForThumb } from "./demo-scores.ts";
import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";
import { SimulatedRun } from "./simulated-run.ts";
import { snapshotAt } from "./snapshot-at.ts";

/** What happens in the month that everybody is shown. A test of the server keeps all its pages in agreement. */
export const DEMO_STORY = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = 30;
/** A Thursday afternoon: the last hours are busy, and the weekend is some days ago. */
const STORY_END_MS = Date.parse("2026-03-12T15:20:00.000Z");
/** In the last minutes before `now`, only the fixed refund and the running traces start. */
const QUIET_MS = 3 * 60_000;

/** Separates the numbers of the ids from those of the simulation. */
const ID_SEED = 0x5bd1e995;

const SUPPORT_CHAT: Scenario[] = [REFUND, ...SUPPORT];
const ALL: Scenario[] = [REFUND, ...SUPPORT, ...CODING, ...RESEARCH, ...TRIAGE, ...VOICE];

interface DemoMonthOptions {
  /** Determines the trace ids. A trace id belongs to one workspace, so each one needs another seed. */
  seed: number;
  /** Determines what happens. The default is `seed`. */
  story?: number;
  now: Date;
  traces: number;
  days?: number;
}

/** The time range that is simulated. */
interface Range {
  days: number;
  /** From the month of the story to the month up to `now`. */
  offsetMs: number;
}

interface Plan {
  scenario: Scenario;
  /** In the month of the story. */
  startMs: number;
  sessionId: string | null;
  agentSessionSeed: number;
  turn: number;
  seed: number;
}

/**
 * Simulates a plausible month of several agents up to `now`, oldest run first. Some of their decisions cause failures; see
 * `ERROR_RATES` in agents/support-refund.ts. What happens follows from the story alone, whatever the hour: it ended at
 * `STORY_END_MS`, and is moved to `now`.
 */
export function* demoMonth(options: DemoMonthOptions): Generator<DemoTrace, void> {
  // The ids do not depend on `now`: loading the same seed again, a day later, replaces its traces.
  const ids = new Random(options.seed ^ ID_SEED);
  for (const trace of simulateRuns(options)) yield { ...trace, id: ids.uuid() };
}

function* simulateRuns({
  seed,
  story = seed,
  now,
  traces,
  days = MONTH_DAYS,
}: DemoMonthOptions): Generator<DemoTrace, void> {
  const random = new Random(story);
  const nowMs = now.getTime();
  const range = { days, offsetMs: nowMs - STORY_END_MS };
  const running = traces < 4 ? 0 : Math.min(4, Math.ceil(traces / 40));
  const finished = Math.max(0, traces - 1 - running);
  for (const plan of planRuns(random, range, finished)) {
    const trace = simulate(plan, range);
    yield trace.endedAt !== null && Date.parse(trace.endedAt) > nowMs ? snapshotAt(trace, nowMs) : trace;
  }
  if (traces > 0) yield demoRefund(now, random.between(0, 2 ** 31));
  for (let index = 0; index < running; index++) yield runningTrace(random, range);
}

function planRuns(random: Random, range: Range, count: number): Plan[] {
  const plans: Plan[] = [];
  while (plans.length < count) {
    const first = pickScenario(random, ALL);
    const hasSession = first.maxTurns > 0 && random.chance(0.85);
    const turns = hasSession ? random.between(1, first.maxTurns) : 1;
    const sessionId = hasSession ? `sess_${random.hex(8)}` : null;
    const agentSessionSeed = random.between(0, 2 ** 31);
    let startMs = randomStart(random, range);
    for (let turn = 1; turn <= turns && plans.length < count && startMs < STORY_END_MS - QUIET_MS; turn++) {
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
function randomStart(random: Random, { days }: Range): number {
  // A share of recent runs makes the overview show activity at any time of day.
  if (random.chance(0.84 / days)) return STORY_END_MS - QUIET_MS - random.between(0, 3 * HOUR_MS);
  for (;;) {
    const startMs = STORY_END_MS - QUIET_MS - Math.floor(random.next() * (days * DAY_MS - QUIET_MS));
    const date = new Date(startMs);
    const byDay = 0.12 + 0.7 * Math.max(0, Math.sin(((date.getUTCHours() - 6) / 15) * Math.PI));
    const isWeekend = date.getUTCDay() % 6 === 0;
    const busyness = byDay * (isWeekend ? 0.5 : 1) * (isIncident(startMs) ? 2 : 1);
    if (random.chance(busyness / 2)) return startMs;
  }
}

/** The incident lasted from 10:00 to 17:00, three days before the end. */
function isIncident(startMs: number): boolean {
  const day = Math.floor(STORY_END_MS / DAY_MS) - 3;
  return startMs >= day * DAY_MS + 10 * HOUR_MS && startMs < day * DAY_MS + 17 * HOUR_MS;
}

function simulate(
  { scenario, startMs, sessionId, agentSessionSeed, turn, seed }: Plan,
  { days, offsetMs }: Range,
): DemoTrace {
  const random = new Random(seed);
  const id = random.uuid();
  const progress = 1 - (STORY_END_MS - startMs) / (days * DAY_MS);
  const run = new SimulatedRun(random, startMs + offsetMs, slowdownOf(scenario, progress));
  const version = versionAt(scenario, Math.floor(STORY_END_MS / DAY_MS) - Math.floor(startMs / DAY_MS));
  scenario.simulate(run, { turn, agentSessionSeed, isIncident: isIncident(startMs), version });
  const trace = run.finish({
    id,
    name: scenario.name,
    sessionId,
    tags: [...random.pick(scenario.tags), ...(scenario.releases.length > 1 ? [`v${version}`] : [])],
    metadata: {
      agent: scenario.name.split(":")[0],
      version,
      region: random.pick(["eu-west-1", "eu-north-1", "us-east-1"]),
      ...askForThumb(scenario.name, seed),
    },
  });
  return random.chance(0.04) ? withoutCost(trace) : trace;
}

function versionAt({ releases }: Scenario, daysAgo: number): string {
  const [newest] = releases;
  return (releases.find((release) => release.daysAgo >= daysAgo) ?? releases.at(-1) ?? newest).version;
}

/** Coding and research become slower over time, so that the charts show a trend. */
const slowdownOf = ({ name }: Scenario, progress: number) =>
  /^(coding|research)/.test(name) ? 1 + 0.7 * progress ** 2 : 1;

const withoutCost = (trace: DemoTrace): DemoTrace => ({
  ...trace,
  totalCost: null,
  spans: trace.spans.map((span) => ({ ...span, costUsd: null })),
  decisionPoints: trace.decisionPoints.map((decision) => ({ ...decision, costUsd: null })),
});

/** Simulates a run twice: first to learn its duration, then with a start that makes it still run at `now`. */
function runningTrace(random: Random, range: Range): DemoTrace {
  const plan: Plan = {
    scenario: pickScenario(random, [...CODING, ...RESEARCH, ...VOICE]),
    startMs: STORY_END_MS,
    sessionId: `sess_${random.hex(8)}`,
    agentSessionSeed: random.between(0, 2 ** 31),
    turn: 1,
    seed: random.between(0, 2 ** 31),
  };
  const durationMs = simulate(plan, range).totalDuration ?? 0;
  const elapsedMs = Math.floor(durationMs * (0.35 + 0.5 * random.next()));
  return snapshotAt(
    simulate({ ...plan, startMs: STORY_END_MS - elapsedMs }, range),
    STORY_END_MS + range.offsetMs,
  );
}
