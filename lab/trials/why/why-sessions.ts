// Simulates agents whose runs belong to sessions, and counts them as insights do: by the facts of runs, through the bytes of a
// day. Runs of a session choose and fail alike with a correlation of 0, 0.1 or 0.3. Passes if 95 % intervals of a failure rate
// contain the true rate in 93 to 97 % of 200 sessions (more where few sessions are very long), and at most 1.2 % of equal sides
// look like drift at 1 %. Also prints what comes out if each run counts as a session of its own. It needs no database.
import { parseArgs } from "node:util";
import { finishSteps } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { decisionFact, decisionFacts } from "@whytrace/testing/samples/decision-facts.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { encodeDay } from "../../../packages/server/src/insights/days/encode-day.ts";
import { mergeDay } from "../../../packages/server/src/insights/days/merge-day.ts";
import { signatureFigures } from "../../../packages/server/src/insights/days/signature-figures.ts";
import { Tally } from "../../../packages/server/src/insights/days/tally.ts";
import { driftRows } from "../../../packages/server/src/insights/drift/drift-rows.ts";
import { sideFigures } from "../../../packages/server/src/insights/drift/side-figures.ts";

const { values } = parseArgs({
  options: { worlds: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const WORLDS = Number(values.worlds);
const CORRELATIONS = [0, 0.1, 0.3];
const SESSIONS = [200, 40];
const FAILURE_RATE = 0.1;
const SIDES = [
  [40, 40],
  [200, 60],
  [300, 250],
] as const;
const SHARES = [
  [0.5, 0.5],
  [0.6, 0.25, 0.1, 0.05],
];
const MAX_DECISIONS_PER_RUN = 3;
const SIGNATURE = 7;

const random = new Random(Number(values.seed));
const SIZES = {
  "1 to 10 runs": { runsOf: () => random.between(1, 10), maxCoverage: 0.97 },
  // A tenth of the sessions has half of the runs. What so few tell is uncertain, so intervals may be too wide.
  "2 runs, some up to 200": {
    runsOf: () => Math.min(200, Math.max(1, Math.round(random.logNormal(2, 1.3)))),
    maxCoverage: 1,
  },
};
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const failures: string[] = [];

function check(isMet: boolean, text: string) {
  console.log(`  ${text}${isMet ? "" : "  FAILED"}`);
  if (!isMet) failures.push(text);
}

interface Simulated {
  sessions: number;
  /** How many runs a session has. */
  runsOf?: () => number;
  correlation: number;
  shares: readonly number[];
}

/** The same runs twice: with their sessions, and as if none had one. */
function simulate({ sessions, correlation, shares, runsOf = SIZES["1 to 10 runs"].runsOf }: Simulated) {
  const options = shares.map((share, option) => [option + 1, share] as const);
  const [bySession, byRun] = [new Tally(), new Tally()];
  // A decision copies what is common to its session so often that two of them have the wanted correlation.
  const copied = Math.sqrt(correlation);
  for (let session = 1; session <= sessions; session += 1) {
    const [habit, luck] = [random.weighted(options), random.next()];
    for (let runs = runsOf(); runs > 0; runs -= 1) {
      const decisions = Array.from({ length: random.between(1, MAX_DECISIONS_PER_RUN) }, () =>
        decisionFact({
          signature: SIGNATURE,
          step: random.chance(copied) ? habit : random.weighted(options),
          outcome: (random.chance(copied) ? luck : random.next()) < FAILURE_RATE ? 3 : 0,
        }),
      );
      const run = { traceId: "", agent: 1, costUsd: null };
      finishSteps(bySession.addRun({ ...run, facts: decisionFacts({ cluster: session, decisions }) }));
      finishSteps(byRun.addRun({ ...run, facts: decisionFacts({ decisions }) }));
    }
  }
  return { bySession: throughBytes(bySession), byRun: throughBytes(byRun) };
}

function throughBytes(day: Tally): Tally {
  const tally = new Tally();
  finishSteps(mergeDay(tally, finishSteps(encodeDay(day))));
  return tally;
}

async function containsRate(tally: Tally): Promise<boolean> {
  const [figures] = await signatureFigures(tally, {});
  const rate = figures?.total.sums.rate;
  return rate !== undefined && rate.low <= FAILURE_RATE && FAILURE_RATE <= rate.high;
}

async function coverage() {
  console.log(`Coverage of the 95 % interval, failure rate ${percent(FAILURE_RATE)}, ${WORLDS} times each:`);
  for (const [size, { runsOf, maxCoverage }] of Object.entries(SIZES))
    for (const sessions of SESSIONS)
      for (const correlation of CORRELATIONS) {
        const hits = { bySession: 0, byRun: 0 };
        for (let world = 0; world < WORLDS; world += 1) {
          const { bySession, byRun } = simulate({ sessions, correlation, shares: [1], runsOf });
          if (await containsRate(bySession)) hits.bySession += 1;
          if (await containsRate(byRun)) hits.byRun += 1;
        }
        const share = hits.bySession / WORLDS;
        check(
          sessions < 200 || (share >= 0.93 && share <= maxCoverage),
          `${sessions} sessions of ${size}, correlation ${correlation}: ${percent(share)}; by run ${percent(hits.byRun / WORLDS)}`,
        );
      }
}

/** Whether equal sides look different at 1 %. */
const isDrift = (base: Tally, current: Tally) =>
  (finishSteps(driftRows(sideFigures(base, {}), sideFigures(current, {})))[0]?.p ?? 1) < 0.01;

function driftNulls() {
  console.log(`Drift at 1 % between equal sides, ${WORLDS} times each:`);
  for (const correlation of CORRELATIONS) {
    const parts: string[] = [];
    const hits = { bySession: 0, byRun: 0 };
    for (const shares of SHARES)
      for (const [baseSessions, currentSessions] of SIDES) {
        let own = 0;
        for (let world = 0; world < WORLDS; world += 1) {
          const base = simulate({ sessions: baseSessions, correlation, shares });
          const current = simulate({ sessions: currentSessions, correlation, shares });
          if (isDrift(base.bySession, current.bySession)) own += 1;
          if (isDrift(base.byRun, current.byRun)) hits.byRun += 1;
        }
        hits.bySession += own;
        parts.push(
          `${shares.length} options, ${baseSessions}/${currentSessions} sessions ${percent(own / WORLDS)}`,
        );
      }
    const tests = WORLDS * parts.length;
    check(
      hits.bySession / tests <= 0.012,
      `correlation ${correlation}: ${((100 * hits.bySession) / tests).toFixed(2)} % of ${tests}; by run ${percent(hits.byRun / tests)}`,
    );
    console.log(`    ${parts.join("; ")}`);
  }
}

await runTrial(async () => {
  await coverage();
  driftNulls();
  return failures.length === 0;
});
