import { finishSteps } from "@whytrace/contract";
import { countPauses } from "@whytrace/testing/count-pauses.ts";
import { decisionFact, decisionFacts } from "@whytrace/testing/samples/decision-facts.ts";
import { expect, it } from "vitest";
import type { DecisionFact } from "../../decision-facts/decision-facts.ts";
import { isFailedOutcome } from "../../decision-facts/failed-outcome.ts";
import { seededRandom } from "../statistics/hypothesis-tests/seeded-random.ts";
import { CHOICE_COUNTS, COUNTS, GROUP_COUNTS, VOTE_COUNTS } from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";
import { encodeDay, MAX_DAY_AGENTS, MAX_DAY_ROWS } from "./encode-day.ts";
import { bucketStart } from "./histogram-buckets.ts";
import { mergeDay } from "./merge-day.ts";
import { type CountedRun, NO_STEP, OTHER_AGENTS, Tally } from "./tally.ts";

const TYPES = ["TOOL_SELECTION", "RETRY", "ESCALATION"] as const;

/** Runs with up to eight decisions of a few signatures; some are running or unknown, some failed, most belong to a session. */
function randomRuns(count: number, random: () => number, agents = 3): CountedRun[] {
  const below = (max: number) => Math.floor(random() * max);
  return Array.from({ length: count }, (_, run) => {
    const [isOpen, isError, isUnknown] = [random() < 0.1, random() < 0.3, random() < 0.2];
    const decisions = Array.from({ length: below(9) }, (_, position): DecisionFact => {
      const signature = 2 ** 40 + below(3);
      const known = isError ? (random() < 0.5 ? 2 : 3) : random() < 0.2 ? 1 : 0;
      const outcome = isOpen ? 4 : isUnknown ? 5 : known;
      return decisionFact({
        signature,
        step: ((signature % 7) + 1) * 100 + below(3),
        type: TYPES[signature % 3] ?? "CUSTOM",
        outcome,
        position,
        costUsd: random() < 0.5 ? null : below(100) / 128,
        durationMs: random() < 0.1 ? null : below(5_000),
        isOffered: random() < 0.5,
      });
    });
    return {
      traceId: `trace ${run}`,
      agent: 2 ** 45 + below(agents),
      costUsd: random() < 0.3 ? null : below(1_000) / 64,
      vote: { isAnswered: random() < 0.5, isScoredBad: random() < 0.5, isAsked: random() < 0.3 },
      ...(isUnknown && !isOpen && { outcome: 2 }),
      facts: decisionFacts({
        release: below(3),
        cluster: random() < 0.3 ? 0 : below(12) + 1,
        decisions,
        fingerprints: random() < 0.4 ? [below(2) + 1, 77] : [],
      }),
    };
  });
}

/** The runs of each session on a day, and those without a session alone. */
const sessionsOf = (runs: CountedRun[], dayOf: (run: CountedRun) => number) => [
  ...Map.groupBy(runs, (run) =>
    run.facts.cluster === 0 ? run.traceId : `${dayOf(run)} ${run.facts.cluster}`,
  ).values(),
];

/** The definitions, run by run: `of` says which decisions of a run are counted. */
function expectedCounts(
  runs: CountedRun[],
  of: (run: CountedRun) => DecisionFact[],
  dayOf: (run: CountedRun) => number,
) {
  const sum = (count: (decisions: DecisionFact[], run: CountedRun) => number) =>
    runs.reduce((total, run) => total + count(of(run), run), 0);
  const ended = (decisions: DecisionFact[]) => decisions.filter(({ outcome }) => outcome < 4);
  const failed = (decisions: DecisionFact[]) =>
    ended(decisions).filter(({ type, outcome }) => isFailedOutcome(type, outcome));
  const sumSessions = (count: (n: number, b: number) => number) =>
    sessionsOf(runs, dayOf)
      .map((session) => session.flatMap(of))
      .filter((decisions) => ended(decisions).length > 0)
      .reduce((total, decisions) => total + count(ended(decisions).length, failed(decisions).length), 0);
  const has = (decisions: DecisionFact[]) => Number(decisions.length > 0);
  const byOutcome = (outcome: number) => (decisions: DecisionFact[]) =>
    decisions.filter((decision) => decision.outcome === outcome).length;
  return [
    ...[0, 1, 2, 3, 4].map((outcome) => sum(byOutcome(outcome))),
    sum((decisions) => has(ended(decisions))),
    sum((decisions) => has(failed(decisions))),
    sum((decisions) => Number(byOutcome(1)(decisions) > 0)),
    sum((decisions) => Number(decisions.some(({ outcome }) => outcome === 2 || outcome === 3))),
    sumSessions(() => 1),
    sumSessions((n) => n ** 2),
    sumSessions((n, b) => n * b),
    sumSessions((_, b) => b ** 2),
    sumSessions((n, b) => Math.round((1_000 * b ** 2) / n)),
    sum(byOutcome(5)),
  ];
}

const counted = (table: CountTable, row: number) =>
  Object.values(COUNTS).map((column) => table.get(row, column));

/** All runs, in as many days; through the bytes that are stored. */
function throughDays(runs: CountedRun[], dayCount: number): Tally {
  const range = new Tally();
  const perDay = Math.ceil(runs.length / dayCount);
  for (let start = 0; start < runs.length; start += perDay) {
    const day = new Tally();
    for (const run of runs.slice(start, start + perDay)) finishSteps(day.addRun(run));
    finishSteps(mergeDay(range, finishSteps(encodeDay(day))));
  }
  return range;
}

const isEnded = ({ facts }: CountedRun) => facts.decisions.length > 0 && facts.decisions[0]?.outcome !== 4;

function expectVotes(
  { votes }: Tally,
  choiceRow: number,
  ended: CountedRun[],
  of: (run: CountedRun) => DecisionFact[],
) {
  const having = ended.filter((run) => of(run).length > 0);
  const answered = having.filter(({ vote }) => vote?.isAnswered);
  const asked = having.filter(({ vote }) => vote?.isAnswered || vote?.isAsked);
  const sum = (runs: CountedRun[], count: (n: number, b: number) => number) =>
    runs.reduce((total, run) => {
      const failed = of(run).filter(({ type, outcome }) => outcome < 4 && isFailedOutcome(type, outcome));
      return total + count(of(run).length, run.vote?.isScoredBad ? failed.length : 0);
    }, 0);
  const row = votes.keys.find(choiceRow, 0, 0);
  expect(Object.values(VOTE_COUNTS).map((column) => (row < 0 ? 0 : votes.get(row, column)))).toEqual([
    answered.length,
    sum(answered, (_, b) => Number(b > 0)),
    sum(answered, (n) => n),
    sum(answered, (_, b) => b),
    sum(answered, (n) => n ** 2),
    sum(answered, (n, b) => n * b),
    sum(answered, (_, b) => b ** 2),
    sum(answered, (n, b) => Math.round((1_000 * b ** 2) / n)),
    asked.length,
    sum(asked, (n) => n),
    sum(asked, (n) => n ** 2),
  ]);
}

const isKnown = ({ outcome }: CountedRun) => outcome !== 2;

const pairs = (decisions: DecisionFact[]) =>
  decisions.map((decision, index) => ({ decision, before: decisions[index - 1]?.step ?? NO_STEP }));

it("counts choices, signatures, transitions and errors as defined, from the bytes of several days", () => {
  const runs = randomRuns(600, seededRandom(1));
  const tally = throughDays(runs, 4);
  const days = new Map(runs.map((run, index) => [run, Math.floor(index / 150)]));
  const dayOf = (run: CountedRun) => days.get(run) ?? -1;
  expect(tally.isTruncated).toBe(false);
  const groupRuns = (agent: number, release?: number) =>
    runs.filter((run) => run.agent === agent && (release === undefined || run.facts.release === release));

  let decisions = 0;
  for (let row = 0; row < tally.choices.size; row += 1) {
    const group = tally.groupOf(row);
    const inGroup = groupRuns(tally.agentHash(tally.agentOf(group)), tally.releaseOf(group));
    const step = tally.stepOf(row);
    const isSame = (decision: DecisionFact) =>
      step === NO_STEP ? decision.signature === tally.signatures[row] : decision.step === step;
    const of = (run: CountedRun) => run.facts.decisions.filter(isSame);
    expect(counted(tally.choices, row)).toEqual(expectedCounts(inGroup, of, dayOf));
    if (step === NO_STEP) continue;
    const all = inGroup.flatMap(of);
    const ended = all.filter(({ outcome }) => outcome !== 4);
    decisions += all.length;
    expectVotes(tally, row, inGroup.filter(isEnded), of);
    expect(tally.choices.get(row, CHOICE_COUNTS.endedSquares)).toBe(
      sessionsOf(inGroup.filter(isEnded), dayOf).reduce(
        (sum, session) => sum + session.flatMap(of).length ** 2,
        0,
      ),
    );
    expect(tally.choices.get(row, CHOICE_COUNTS.signatureProducts)).toBe(
      sessionsOf(inGroup.filter(isEnded), dayOf).reduce((sum, session) => {
        const signed = session.flatMap(({ facts }) =>
          facts.decisions.filter(({ signature }) => signature === tally.signatures[row]),
        );
        return sum + session.flatMap(of).length * signed.length;
      }, 0),
    );
    expect(tally.choices.get(row, CHOICE_COUNTS.offered)).toBe(
      ended.filter(({ isOffered }) => isOffered).length,
    );
    // Traces come newest first, so the sample is of the first run.
    const newest = inGroup.find((run) => of(run).length > 0);
    expect(tally.samples[row]?.traceId).toBe(newest?.traceId);
    expect(newest?.facts.decisions[tally.samples[row]?.position ?? -1]?.step).toBe(step);
  }
  expect(decisions).toBe(runs.reduce((sum, { facts }) => sum + facts.decisions.length, 0));

  let transitions = 0;
  for (let row = 0; row < tally.transitions.size; row += 1) {
    const [agent, before, step] = ([0, 1, 2] as const).map((index) => tally.transitions.keys.key(row, index));
    const ofAgent = groupRuns(tally.agentHash(agent ?? -1)).filter(
      ({ facts }) => facts.decisions[0]?.outcome !== 4,
    );
    if (step === NO_STEP) {
      const last = ofAgent.filter(({ facts }) => facts.decisions.at(-1)?.step === before);
      expect(tally.transitions.get(row, COUNTS.runs)).toBe(last.filter(isKnown).length);
      expect(tally.transitions.get(row, COUNTS.unknown)).toBe(last.filter((run) => !isKnown(run)).length);
      expect(tally.transitions.get(row, COUNTS.errorRuns)).toBe(
        last.filter((run) => isKnown(run) && (run.facts.decisions[0]?.outcome ?? 0) >= 2).length,
      );
      continue;
    }
    const of = (run: CountedRun) =>
      pairs(run.facts.decisions)
        .filter((pair) => pair.before === before && pair.decision.step === step)
        .map(({ decision }) => decision);
    expect(counted(tally.transitions, row)).toEqual(expectedCounts(ofAgent, of, dayOf));
    transitions += ofAgent.flatMap(of).length;
  }
  expect(transitions).toBe(runs.filter(isEnded).reduce((sum, { facts }) => sum + facts.decisions.length, 0));

  for (let row = 0; row < tally.errors.size; row += 1) {
    const [agent, step, fingerprint] = ([0, 1, 2] as const).map((index) => tally.errors.keys.key(row, index));
    const matching = groupRuns(tally.agentHash(agent ?? -1)).filter(
      ({ facts }) =>
        facts.fingerprints.includes(fingerprint ?? -1) &&
        (step === NO_STEP || facts.decisions.some((decision) => decision.step === step)),
    );
    expect(tally.errors.get(row, 0)).toBe(matching.filter((run) => isEnded(run) && isKnown(run)).length);
  }

  for (let group = 0; group < tally.groups.size; group += 1) {
    const inGroup = groupRuns(tally.agentHash(tally.agentOf(group)), tally.releaseOf(group)).filter(
      ({ facts }) => facts.decisions.length > 0,
    );
    expect(tally.groups.get(group, GROUP_COUNTS.runs)).toBe(inGroup.length);
    expect(tally.groups.get(group, GROUP_COUNTS.costUsd)).toBe(
      inGroup.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    );
    expect(tally.groupSamples[group]).toBe(inGroup[0]?.traceId);
  }
});

it("counts sessions that go on in a copy as one, and leaves the copied tally as it is", () => {
  const runs = randomRuns(200, seededRandom(4));
  const [first, all] = [new Tally(), new Tally()];
  for (const run of runs.slice(0, 120)) finishSteps(first.addRun(run));
  for (const run of runs) finishSteps(all.addRun(run));
  const copy = new Tally(first);
  for (const run of runs.slice(120)) finishSteps(copy.addRun(run));
  expect(finishSteps(encodeDay(copy))).toEqual(finishSteps(encodeDay(all)));
  const alone = new Tally();
  for (const run of runs.slice(0, 120)) finishSteps(alone.addRun(run));
  expect(finishSteps(encodeDay(first))).toEqual(finishSteps(encodeDay(alone)));
});

it("counts every run of more sessions than it holds at once, in a bounded memory", () => {
  const tally = new Tally();
  const sessions = 70_000;
  for (let session = 1; session <= sessions; session += 1)
    finishSteps(
      tally.addRun({
        traceId: "",
        agent: 1,
        costUsd: null,
        facts: decisionFacts({ cluster: session, decisions: [decisionFact({ step: 5 })] }),
      }),
    );
  expect(tally.byteLength).toBeLessThan(16 * 1_024 * 1_024);
  finishSteps(tally.endSessions());
  const row = tally.samples.findIndex((_, index) => tally.stepOf(index) === 5);
  expect(tally.choices.get(row, COUNTS.runs)).toBe(sessions);
  expect(tally.choices.get(row, COUNTS.sessions)).toBe(sessions);
});

it("keeps costs and durations in buckets that are at most a fifth wide", () => {
  const tally = throughDays(randomRuns(300, seededRandom(2)), 1);
  let total = 0;
  for (let cell = 0; cell < tally.histograms.size; cell += 1) total += tally.histograms.get(cell, 0);
  const known = randomRuns(300, seededRandom(2)).flatMap(({ facts }) =>
    facts.decisions
      .filter(({ outcome }) => outcome < 4)
      .flatMap(({ costUsd, durationMs }) => [costUsd, durationMs].filter((value) => value !== null)),
  );
  expect(total).toBe(known.length);
  for (const bucket of [20, 60, 120])
    expect(bucketStart("durationMs", bucket + 1) / bucketStart("durationMs", bucket)).toBeLessThan(1.2);
});

it("counts agents beyond the limit of a day together, and loses none of their runs", () => {
  const runs = randomRuns(2_000, seededRandom(3), 300).filter(({ facts }) => facts.decisions.length > 0);
  const tally = throughDays(runs, 1);
  expect(tally.agents.size).toBe(MAX_DAY_AGENTS);
  expect(tally.isTruncated).toBe(true);
  let [total, others] = [0, 0];
  for (let group = 0; group < tally.groups.size; group += 1) {
    const count = tally.groups.get(group, GROUP_COUNTS.runs);
    total += count;
    if (tally.agentHash(tally.agentOf(group)) === OTHER_AGENTS) others += count;
  }
  expect(total).toBe(runs.length);
  expect(others).toBeGreaterThan(0);
});

it("keeps the most frequent choices of a day, and says that others were left out", () => {
  const day = new Tally();
  const add = (step: number) =>
    finishSteps(
      day.addRun({
        traceId: `${step}`,
        agent: 1,
        costUsd: null,
        facts: decisionFacts({ decisions: [decisionFact({ signature: step, step })] }),
      }),
    );
  for (let step = 1; step <= MAX_DAY_ROWS; step += 1) add(step);
  for (let count = 0; count < 3; count += 1) add(MAX_DAY_ROWS);
  const kept = new Tally();
  finishSteps(mergeDay(kept, finishSteps(encodeDay(day))));
  expect(kept.isTruncated).toBe(true);
  expect(kept.choices.size).toBe(MAX_DAY_ROWS);
  const frequent = kept.samples.findIndex((_, row) => kept.stepOf(row) === MAX_DAY_ROWS);
  expect(kept.choices.get(frequent, COUNTS.fine)).toBe(4);
});

it("lets other work run while it adds, encodes and reads what has nothing in common", () => {
  const tally = new Tally();
  const runOf = (agent: number, decisionCount: number): CountedRun => ({
    traceId: `${agent}`,
    agent,
    costUsd: null,
    facts: decisionFacts({
      fingerprints: [1, 2],
      decisions: Array.from({ length: decisionCount }, (_, index) =>
        decisionFact({
          signature: agent * 1_000_000 + index + 1,
          step: agent * 1_000_000 + index + 1,
          outcome: 3,
          position: index,
          durationMs: 1,
        }),
      ),
    }),
  });
  // A step for every thousand choices, transitions and errors.
  expect(countPauses(tally.addRun(runOf(1, 10_000))).pauses).toBeGreaterThan(30);
  for (let agent = 2; agent <= 2 * MAX_DAY_AGENTS; agent += 1) finishSteps(tally.addRun(runOf(agent, 50)));
  const { value, pauses } = countPauses(encodeDay(tally));
  expect(pauses).toBeGreaterThan(100);
  expect(countPauses(mergeDay(new Tally(), value)).pauses).toBeGreaterThan(10);
});
