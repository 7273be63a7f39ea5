import { parseArgs } from "node:util";
import { type BlamedFailure, blameFailures } from "@whytrace/lab/worlds/agent-simulator/blame-failures.ts";
import { drawJudgedRuns } from "@whytrace/lab/worlds/agent-simulator/draw-judged-runs.ts";
import { REGIMES, type RegimeName } from "@whytrace/lab/worlds/agent-simulator/regimes.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { blameFolder } from "./support/blame-folder.ts";

/*
 * How often the decision that made a run fail is the first suspect: on simulated agents whose faults are known, after 50, 500
 * and 1,000 runs; with --folder, on labelled failures of real agents.
 */

const { values: flags } = parseArgs({
  options: {
    agents: { type: "string", default: "100" },
    seed: { type: "string", default: "90000" },
    folder: { type: "string" },
  },
});
const AGENTS = Number(flags.agents);
const FIRST_SEED = Number(flags.seed);
const HISTORY_SIZES = [50, 500, 1_000];
const FAILURES_PER_AGENT = 24;
const MIN_TOP_1: Readonly<Record<number, number>> = { 50: 0.7, 500: 0.9, 1000: 0.93 };
const MIN_LIKELY_RIGHT = 0.95;
const RANKINGS = ["blame", "nearest"] as const;
type Ranking = (typeof RANKINGS)[number];

interface AgentResult {
  regime: RegimeName;
  historySize: number;
  blamed: BlamedFailure[];
}

function tryAgent(index: number): AgentResult[] {
  const names = Object.keys(REGIMES) as RegimeName[];
  const regime = names[index % names.length] ?? "plain";
  const runs = drawJudgedRuns(regime, FIRST_SEED + index, Math.max(...HISTORY_SIZES));
  return HISTORY_SIZES.map((historySize) => ({
    regime,
    historySize,
    blamed: blameFailures(runs.slice(0, historySize), FAILURES_PER_AGENT),
  }));
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean over agents with its 95 % interval. */
function overAgents(values: number[]): { value: number; text: string } {
  const value = mean(values);
  const variance = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / Math.max(1, values.length - 1);
  const half = 1.96 * Math.sqrt(variance / values.length);
  return { value, text: `${value.toFixed(3)} ±${half.toFixed(3)}` };
}

function measure(results: AgentResult[], ranking: Ranking) {
  const ranks = results
    .map(({ blamed }) => blamed.flatMap(({ rank }) => rank?.[ranking] ?? []))
    .filter((list) => list.length > 0);
  const over = (value: (rank: number) => number) => overAgents(ranks.map((list) => mean(list.map(value))));
  return {
    top1: over((rank) => Number(rank === 1)),
    top3: over((rank) => Number(rank <= 3)),
    mrr: over((rank) => 1 / rank),
  };
}

function printRow(label: string, { top1, top3, mrr }: ReturnType<typeof measure>) {
  console.log(`${label.padEnd(26)} top-1 ${top1.text}   top-3 ${top3.text}   MRR ${mrr.text}`);
}

await runTrial(async () => {
  if (flags.folder !== undefined) return blameFolder(flags.folder);
  const results: AgentResult[] = [];
  for (let index = 0; index < AGENTS; index++) results.push(...tryAgent(index));
  let hasPassed = true;
  for (const historySize of HISTORY_SIZES) {
    const sized = results.filter((result) => result.historySize === historySize);
    const blamed = sized.flatMap((result) => result.blamed);
    const labelled = blamed.filter(({ rank }) => rank !== null);
    console.log(
      `after ${historySize.toLocaleString("en")} runs: ${labelled.length} failures with a culprit, ${blamed.length - labelled.length} without, ` +
        `${mean(labelled.map(({ decisions }) => decisions)).toFixed(1)} decisions before the error`,
    );
    for (const ranking of RANKINGS) printRow(`  ${ranking}`, measure(sized, ranking));
    for (const regime of Object.keys(REGIMES))
      printRow(
        `  blame, ${regime}`,
        measure(
          sized.filter((result) => result.regime === regime),
          "blame",
        ),
      );
    for (const word of ["likely", "possible", "none"] as const) {
      const said = blamed.filter(({ suspicion }) => suspicion === word);
      const right = said.filter(({ isFirstGuilty }) => isFirstGuilty).length;
      console.log(
        `  "${word}": ${said.length} times, the first suspect is guilty in ${percent(right / said.length)}`,
      );
      if (word === "likely" && right < MIN_LIKELY_RIGHT * said.length) hasPassed = false;
    }
    if (measure(sized, "blame").top1.value < (MIN_TOP_1[historySize] ?? 0)) hasPassed = false;
  }
  console.log(
    `limits: top-1 ${HISTORY_SIZES.map((size) => `${MIN_TOP_1[size]} after ${size}`).join(", ")}; "likely" right in ${percent(MIN_LIKELY_RIGHT)}: ${hasPassed ? "passed" : "failed"}`,
  );
  console.log(
    "To measure labelled failures of real agents, clone https://github.com/mingyin1/Agents_Failure_Attribution and name its folder with --folder.",
  );
  return hasPassed;
});

function percent(share: number): string {
  return Number.isNaN(share) ? "-" : `${(share * 100).toFixed(1)} %`;
}
