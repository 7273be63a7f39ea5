import {
  type DecisionMap,
  hash32ToHex,
  type MapEdge,
  type MapNode,
  signatureToHex,
} from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import { COUNTS } from "../days/count-columns.ts";
import type { DaysRead } from "../days/read-days.ts";
import { runTotals } from "../days/run-totals.ts";
import { isInFilter, type RunFilter } from "../days/signature-figures.ts";
import { NO_STEP, type Tally } from "../days/tally.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { listReleases } from "../names/list-releases.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { readStepNames } from "../names/read-step-names.ts";

/** A graph with more nodes is unreadable. */
const MAX_NODES = 300;
const MAX_EDGES = 2_000;

/** All runs of an agent, or of all agents, as a graph: how many took each step, and which one came next. */
export async function decisionMap(
  db: Database,
  userId: string,
  days: DaysRead,
  named: NamedRuns,
): Promise<Omit<DecisionMap, "from" | "to" | "progress">> {
  const { tally } = days;
  const filter = findRuns(tally, named);
  const steps = runsByStep(tally, filter);
  const { edges, starts, ends } = readEdges(tally, filter);
  const shown = [...steps].sort(([a, one], [b, other]) => other.runs - one.runs || a - b).slice(0, MAX_NODES);
  const names = await readStepNames(db, userId, tally, new Set(shown.map(([step]) => step)));
  const isShown = new Set([NO_STEP, ...shown.map(([step]) => step)]);
  const shownEdges = edges.filter(({ from, to }) => isShown.has(from) && isShown.has(to));
  const start: MapNode = {
    step: hash32ToHex(NO_STEP),
    signature: null,
    type: null,
    name: "Start",
    runs: starts.runs,
    failedRuns: starts.failedRuns,
    ended: { fine: 0, failed: 0 },
  };
  const nodes = shown.map(([step, runs]): MapNode => {
    const name = names.get(step);
    const ended = ends.get(step) ?? NO_RUNS;
    return {
      step: hash32ToHex(step),
      signature: name ? signatureToHex(name.signature) : null,
      type: name?.type ?? null,
      name: name?.name ?? "",
      ...runs,
      ended: { fine: ended.runs - ended.failedRuns, failed: ended.failedRuns },
    };
  });
  const { runs, failedRuns } = runTotals(tally, filter);
  return {
    agent: named.agent ?? null,
    runs,
    failedRuns,
    nodes: starts.runs > 0 ? [start, ...nodes] : nodes,
    edges: shownEdges
      .slice(0, MAX_EDGES)
      .map((edge): MapEdge => ({ ...edge, from: hash32ToHex(edge.from), to: hash32ToHex(edge.to) })),
    releases: listReleases(days, await readGroupNames(db, userId, tally), filter),
    isTruncated: tally.isTruncated || shown.length < steps.size || shownEdges.length > MAX_EDGES,
  };
}

interface RunCount {
  runs: number;
  failedRuns: number;
}
const NO_RUNS: RunCount = { runs: 0, failedRuns: 0 };

/** A run counts once at each step, however often it took it. */
function runsByStep(tally: Tally, filter: RunFilter): Map<number, RunCount> {
  const steps = new Map<number, RunCount>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    const step = tally.stepOf(row);
    if (step === NO_STEP || !isInFilter(tally, tally.groupOf(row), filter)) continue;
    const runs = tally.choices.get(row, COUNTS.runs);
    if (runs === 0) continue;
    addRuns(steps, step, { runs, failedRuns: tally.choices.get(row, COUNTS.errorRuns) });
  }
  return steps;
}

function addRuns(steps: Map<number, RunCount>, step: number, { runs, failedRuns }: RunCount) {
  const known = steps.get(step) ?? NO_RUNS;
  steps.set(step, { runs: known.runs + runs, failedRuns: known.failedRuns + failedRuns });
}

interface NumberedEdge extends RunCount {
  from: number;
  to: number;
}

/** The edges, those with the most runs first; and how many runs began, and ended at each step. */
function readEdges({ transitions }: Tally, { agent }: RunFilter) {
  const edges = new Map<string, NumberedEdge>();
  const ends = new Map<number, RunCount>();
  const starts = { ...NO_RUNS };
  for (let row = 0; row < transitions.size; row += 1) {
    if (agent !== undefined && transitions.keys.key(row, 0) !== agent) continue;
    const [from, to] = [transitions.keys.key(row, 1), transitions.keys.key(row, 2)];
    const count = {
      runs: transitions.get(row, COUNTS.runs),
      failedRuns: transitions.get(row, COUNTS.errorRuns),
    };
    if (to === NO_STEP) {
      addRuns(ends, from, count);
      continue;
    }
    if (from === NO_STEP) {
      starts.runs += count.runs;
      starts.failedRuns += count.failedRuns;
    }
    const edge = edges.get(`${from} ${to}`) ?? { from, to, ...NO_RUNS };
    edge.runs += count.runs;
    edge.failedRuns += count.failedRuns;
    edges.set(`${from} ${to}`, edge);
  }
  const sorted = [...edges.values()].sort((a, b) => b.runs - a.runs || a.from - b.from || a.to - b.to);
  return { edges: sorted, starts, ends };
}
