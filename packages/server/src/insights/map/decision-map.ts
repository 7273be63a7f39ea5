import { type DecisionMap, hash32ToHex, type MapNode, OTHER_STEPS, signatureToHex } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { JudgedDaysRead } from "../days/days-reader.ts";
import { runTotals } from "../days/run-totals.ts";
import { NO_STEP } from "../days/tally.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { readStepNames } from "../names/read-step-names.ts";
import { readLeftOut } from "../read-left-out.ts";
import { MapCounts, OTHER } from "./map-counts.ts";

/** A graph with more nodes or edges is unreadable. */
const MAX_NODES = 300;
const MAX_EDGES = 2_000;

/** All runs of an agent, or of all agents, as a graph: how often each step was taken, and which one came next. */
export async function decisionMap(
  db: Database,
  workspaceId: WorkspaceId,
  { tally, counted: range }: JudgedDaysRead,
  named: NamedRuns,
): Promise<Omit<DecisionMap, "from" | "to" | "progress">> {
  const filter = findRuns(tally, named);
  const counts = await runInTimeSlices(MapCounts.read(tally, filter));
  const { unknownRuns } = runTotals(tally, filter);
  const { nodes, edges } = counts.pooled(MAX_NODES, MAX_EDGES);
  const names = await readStepNames(db, workspaceId, tally, new Set(nodes.keys()));
  const { times: runs, failedTimes: failedRuns } = nodes.get(NO_STEP) ?? { times: 0, failedTimes: 0 };
  return {
    agent: named.agent ?? null,
    runs,
    failedRuns,
    leftOut: await readLeftOut(db, workspaceId, { range, ...named, runs: unknownRuns }),
    nodes: [...nodes].map(([step, node]): MapNode => {
      const name = names.get(step);
      return {
        step: toStepId(step),
        signature: name ? signatureToHex(name.signature) : null,
        type: name?.type ?? null,
        name: step === NO_STEP ? "Start" : step === OTHER ? "Other choices" : (name?.name ?? ""),
        ...node,
      };
    }),
    edges: edges
      .toSorted((a, b) => b.times - a.times || a.from - b.from || a.to - b.to)
      .map(({ from, to, ...times }) => ({ from: toStepId(from), to: toStepId(to), ...times })),
    isTruncated: tally.isTruncated,
  };
}

const toStepId = (step: number) => (step === OTHER ? OTHER_STEPS : hash32ToHex(step));
