// Sends twenty pairs of simulated releases, ten of which are worse, to a server, and asks it which are. Passes if each answer is right
// except for at most one pair that is alike. Then compares pairs that are alike, without a database, and passes if at most 5 % of
// them are called worse or better.
import { parseArgs } from "node:util";
import type { ReleaseComparison } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { RELEASE_PAIRS, type SimulatedRun, simulateRuns } from "@whytrace/testing/samples/release-pairs.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { compareMeasures } from "../../../packages/server/src/insights/releases/compare-measures.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    sessions: { type: "string", default: "150" },
    alike: { type: "string", default: "2000" },
  },
});
const SEED = Number(values.seed);
const SESSIONS = Number(values.sessions);
const ALIKE = Number(values.alike);
const BATCH_TRACES = 100;
const DAY_MS = 24 * 3_600_000;

const isCalledWorse = ({ verdict }: Pick<ReleaseComparison, "verdict">) =>
  verdict === "worse" || verdict === "mixed";

/** A run as a client sends it. */
const traceOf = (run: SimulatedRun, agent: string, release: string, startedAtMs: number) => ({
  id: `${agent}-${run.id}`,
  name: agent,
  sessionId: `${agent}-${run.session}`,
  status: run.isBad ? "ERROR" : "COMPLETED",
  tags: [`release:${release}`],
  startedAt: new Date(startedAtMs).toISOString(),
  totalCost: run.costUsd,
  totalDuration: run.durationMs,
  spans: [],
  decisionPoints: [],
  events: [],
});

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
  let [missed, falselyCalled] = [0, 0];
  for (const [index, pair] of RELEASE_PAIRS.entries()) {
    const random = new Random(SEED * 1_000 + index);
    const agent = `agent-${String.fromCharCode(97 + index)}`;
    for (const [side, release, daysAgo] of [
      [pair.base, "1.0", 10],
      [pair.current, "1.1", 3],
    ] as const) {
      const runs = simulateRuns(side, { sessions: SESSIONS, random, prefix: release });
      const traces = runs.map((run, number) =>
        traceOf(run, agent, release, Date.now() - daysAgo * DAY_MS + 60_000 * number),
      );
      for (let from = 0; from < traces.length; from += BATCH_TRACES) {
        const body = JSON.stringify({ traces: traces.slice(from, from + BATCH_TRACES) });
        const { status, text } = await postBatch(server.url, key, body);
        if (status !== 200) throw new Error(text);
      }
    }
    const { json } = expectStatus(await user.get(`/api/insights/releases/compare?agent=${agent}`), 200);
    const found: ReleaseComparison = json;
    const isRight = isCalledWorse(found) === pair.isWorse;
    if (!isRight && pair.isWorse) missed += 1;
    if (!isRight && !pair.isWorse) falselyCalled += 1;
    console.log(
      `${pair.name.padEnd(36)} ${pair.isWorse ? "worse" : "not  "}  ${found.verdict.padEnd(8)} ${isRight ? "right" : "WRONG"}  ${found.sentence}`,
    );
  }
  console.log(`worse and not found: ${missed} of 10; not worse and called worse: ${falselyCalled} of 10`);
  const wrong = countWrong();
  console.log(
    `alike and called worse or better: ${wrong} of ${ALIKE} (${((100 * wrong) / ALIKE).toFixed(1)} %)`,
  );
  return missed === 0 && falselyCalled <= 1 && wrong / ALIKE <= 0.05;
});

function countWrong(): number {
  const [alike] = RELEASE_PAIRS.filter(({ name }) => name === "alike");
  if (!alike) throw new Error("no pair is alike");
  const random = new Random(SEED);
  let wrong = 0;
  for (let index = 0; index < ALIKE; index += 1) {
    const sessions = [20, 60, 150][index % 3] ?? 60;
    const runsOf = (prefix: string) => simulateRuns(alike.base, { sessions, random, prefix });
    const { verdict } = compareMeasures(runsOf("1.0"), runsOf("1.1"));
    if (verdict !== "alike" && verdict !== "untested") wrong += 1;
  }
  return wrong;
}
