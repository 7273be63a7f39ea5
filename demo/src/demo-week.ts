import { CODING } from "./agents/coding.ts";
import { RESEARCH } from "./agents/research.ts";
import type { Scenario } from "./agents/scenario.ts";
import { SUPPORT } from "./agents/support.ts";
import { REFUND } from "./agents/support-refund.ts";
import { TRIAGE } from "./agents/triage.ts";
import { VOICE } from "./agents/voice.ts";
import { cutAt } from "./cut-at.ts";
import { demoRefund } from "./demo-refund.ts";
import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";
import { Recording } from "./recording.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Nothing ordinary starts so shortly before `now`: the pictured refund and the runs under way do. */
const QUIET_MS = 3 * 60_000;

const CHAT: Scenario[] = [REFUND, ...SUPPORT];
const ALL: Scenario[] = [REFUND, ...SUPPORT, ...CODING, ...RESEARCH, ...TRIAGE, ...VOICE];

interface Week {
  /** Also of the ids: a trace id belongs to one user, so each user wants a seed of their own. */
  seed: number;
  now: Date;
  traces: number;
}

interface Plan {
  scenario: Scenario;
  startMs: number;
  sessionId: string | null;
  sessionSeed: number;
  turn: number;
  seed: number;
}

/** A believable week of several agents up to `now`, the oldest run first. */
export function* demoWeek({ seed, now, traces }: Week): Generator<DemoTrace, void> {
  const random = new Random(seed);
  const nowMs = now.getTime();
  const underWay = traces < 4 ? 0 : Math.min(4, Math.ceil(traces / 40));
  const ordinary = Math.max(0, traces - 1 - underWay);
  for (const plan of planWeek(random, nowMs, ordinary)) {
    const trace = record(plan, nowMs);
    yield trace.endedAt !== null && Date.parse(trace.endedAt) > nowMs ? cutAt(trace, nowMs) : trace;
  }
  if (traces > 0) yield demoRefund(now, random.between(0, 2 ** 31));
  for (let index = 0; index < underWay; index++) yield running(random, nowMs);
}

function planWeek(random: Random, nowMs: number, count: number): Plan[] {
  const plans: Plan[] = [];
  while (plans.length < count) {
    const first = pickScenario(random, ALL);
    const hasSession = first.turnsAtMost > 0 && random.chance(0.85);
    const turns = hasSession ? random.between(1, first.turnsAtMost) : 1;
    const sessionId = hasSession ? `sess_${random.hex(8)}` : null;
    const sessionSeed = random.between(0, 2 ** 31);
    let startMs = drawStart(random, nowMs);
    for (let turn = 1; turn <= turns && plans.length < count && startMs < nowMs - QUIET_MS; turn++) {
      const scenario = turn > 1 && CHAT.includes(first) ? pickScenario(random, CHAT) : first;
      plans.push({ scenario, startMs, sessionId, sessionSeed, turn, seed: random.between(0, 2 ** 31) });
      startMs += random.between(40_000, 25 * 60_000);
    }
  }
  return plans.sort((one, other) => one.startMs - other.startMs);
}

const pickScenario = (random: Random, scenarios: Scenario[]) =>
  random.weighted(scenarios.map((one) => [one, one.weight] as const));

/** Busy by day, quiet at night, half as much at the weekend; the incident makes people write more. */
function drawStart(random: Random, nowMs: number): number {
  // Whatever the hour, the first page shows that the agents are at work.
  if (random.chance(0.12)) return nowMs - QUIET_MS - random.between(0, 3 * HOUR_MS);
  for (;;) {
    const startMs = nowMs - QUIET_MS - Math.floor(random.next() * (WEEK_MS - QUIET_MS));
    const date = new Date(startMs);
    const byDay = 0.12 + 0.7 * Math.max(0, Math.sin(((date.getUTCHours() - 6) / 15) * Math.PI));
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (random.chance(byDay * (isWeekend ? 0.5 : 1) * (isIncident(startMs, nowMs) ? 1.2 : 1))) return startMs;
  }
}

/** Seven hours of trouble, from 10 to 17 o'clock three days ago. */
function isIncident(startMs: number, nowMs: number): boolean {
  const day = Math.floor(nowMs / DAY_MS) - 3;
  return startMs >= day * DAY_MS + 10 * HOUR_MS && startMs < day * DAY_MS + 17 * HOUR_MS;
}

function record({ scenario, startMs, sessionId, sessionSeed, turn, seed }: Plan, nowMs: number): DemoTrace {
  const random = new Random(seed);
  const id = random.uuid();
  const run = new Recording(random, startMs, slownessOf(scenario, 1 - (nowMs - startMs) / WEEK_MS));
  scenario.play(run, { turn, sessionSeed, isIncident: isIncident(startMs, nowMs) });
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

/** Coding and research grow slower over the week: longer contexts, a busier model. */
const slownessOf = ({ name }: Scenario, weekDone: number) =>
  /^(coding|research)/.test(name) ? 1 + 0.7 * weekDone ** 2 : 1;

const withoutCost = (trace: DemoTrace): DemoTrace => ({
  ...trace,
  totalCost: null,
  spans: trace.spans.map((span) => ({ ...span, costUsd: null })),
  decisionPoints: trace.decisionPoints.map((decision) => ({ ...decision, costUsd: null })),
});

/** Played through once to learn how long it takes, then again so that `now` falls into it. */
function running(random: Random, nowMs: number): DemoTrace {
  const plan: Plan = {
    scenario: pickScenario(random, [...CODING, ...RESEARCH, ...VOICE]),
    startMs: nowMs,
    sessionId: `sess_${random.hex(8)}`,
    sessionSeed: random.between(0, 2 ** 31),
    turn: 1,
    seed: random.between(0, 2 ** 31),
  };
  const lengthMs = record(plan, nowMs).totalDuration ?? 0;
  const doneMs = Math.floor(lengthMs * (0.35 + 0.5 * random.next()));
  return cutAt(record({ ...plan, startMs: nowMs - doneMs }, nowMs), nowMs);
}
