import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { blameFailures, type JudgedRun } from "@whytrace/lab/worlds/agent-simulator/blame-failures.ts";
import { buildDecisionFacts } from "../../../packages/server/src/decision-facts/build-decision-facts.ts";
import type { DecidedTrace } from "../../../packages/server/src/decision-facts/decided-trace.ts";
import { rankByLearnedPosition } from "./learned-position.ts";

/*
 * Labelled failures of real agents, read from a folder: Who&When (https://github.com/mingyin1/Agents_Failure_Attribution) and
 * the τ-bench runs of AgentRx (https://github.com/microsoft/AgentRx). Neither says which alternatives a step had: the speakers
 * of the conversation and the tools of all runs stand for them.
 */

/** A run of which each step is a decision; its error comes at its end. */
interface LabelledRun {
  /** What was chosen in each step. */
  chosen: string[];
  options: string[];
  /** The step that a person named as the mistake; null if the run did not fail. */
  mistake: number | null;
}
interface Dataset {
  name: string;
  runs: LabelledRun[];
  /** What others report for the first suspect. */
  published: string;
}

const PUBLISHED: Readonly<Record<string, string>> = {
  "Algorithm-Generated":
    "best constant step 27.0 %, paper's best model 16.6 %, best rules 21.4 %, best published 46.0 %",
  "Hand-Crafted":
    "best constant step 15.5 %, paper's best model 8.8 %, best rules 19.0 %, best published 29.1 %",
};

/** Prints how often the labelled step is the first suspect; returns false if the folder has no such data. */
export function blameFolder(folder: string): boolean {
  const paths = globSync("**/*.json", { cwd: folder }).map((path) => join(folder, path));
  const datasets = [...readWhoAndWhen(paths), ...readAgentRx(paths)];
  if (datasets.length === 0)
    console.log(
      `No labelled failures in ${folder}. It should contain a clone of https://github.com/mingyin1/Agents_Failure_Attribution or https://github.com/microsoft/AgentRx.`,
    );
  for (const dataset of datasets) printDataset(dataset);
  return datasets.length > 0;
}

function printDataset({ name, runs, published }: Dataset) {
  const judged = runs.flatMap((run): JudgedRun[] => {
    const trace = toTrace(run);
    const facts = buildDecisionFacts(trace);
    return facts ? [{ status: trace.status, facts, culprit: run.mistake }] : [];
  });
  const failed = runs.flatMap(({ chosen, mistake }) => (mistake === null ? [] : [{ chosen, mistake }]));
  const blamed = blameFailures(judged, judged.length);
  const ranks = blamed.map(({ rank }) => rank?.blame ?? Number.POSITIVE_INFINITY);
  const nearest = failed.map(({ chosen, mistake }) => chosen.length - mistake);
  const learned = rankByLearnedPosition(failed);
  const steps = Map.groupBy(failed, ({ mistake }) => mistake);
  const constant = Math.max(...[...steps.values()].map((list) => list.length)) / failed.length;
  const share = (list: number[], most: number) =>
    `${((list.filter((rank) => rank <= most).length / failed.length) * 100).toFixed(1)} %`;
  console.log(
    `${name}: ${failed.length} labelled failures, ${runs.length - failed.length} runs that went well`,
  );
  console.log(`  blame    top-1 ${share(ranks, 1)}   top-3 ${share(ranks, 3)}`);
  console.log(`  nearest  top-1 ${share(nearest, 1)}   top-3 ${share(nearest, 3)}`);
  console.log(
    `  learned from the labels of the others  top-1 ${share(learned, 1)}   top-3 ${share(learned, 3)}`,
  );
  console.log(`  best constant step, counted here ${(constant * 100).toFixed(1)} %. Published: ${published}`);
}

const pointOf = (chosen: string, options: string[]) => ({
  type: "CUSTOM" as const,
  chosen,
  alternatives: options.filter((option) => option !== chosen),
});

function toTrace({ chosen, options, mistake }: LabelledRun) {
  const status = mistake === null ? "COMPLETED" : "ERROR";
  return {
    name: "labelled",
    tags: [],
    status,
    startedAt: 0,
    endedAt: chosen.length,
    totalDuration: chosen.length,
    spans: [],
    events: [],
    decisionPoints: chosen.map((option, index) => ({
      ...pointOf(option, options),
      costUsd: null,
      parentSpanId: null,
      timestamp: index,
    })),
  } satisfies DecidedTrace;
}

function readWhoAndWhen(paths: string[]): Dataset[] {
  const labelled = paths.flatMap((path) => {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    const history = field(json, "history");
    const mistake = Number(field(json, "mistake_step"));
    if (!Array.isArray(history) || !Number.isInteger(mistake) || mistake >= history.length) return [];
    const chosen = history.map((turn) => String(field(turn, "name") ?? field(turn, "role") ?? ""));
    const options = [...new Set(chosen)];
    return { kind: basename(dirname(path)), run: { chosen, options, mistake } };
  });
  return [...Map.groupBy(labelled, ({ kind }) => kind)].map(([kind, list]) => ({
    name: `Who&When, ${kind}`,
    runs: list.map(({ run }) => run),
    published: PUBLISHED[kind] ?? "unknown",
  }));
}

function readAgentRx(paths: string[]): Dataset[] {
  const read = (name: string): unknown => {
    const path = paths.find((one) => basename(one) === name);
    return path === undefined ? undefined : JSON.parse(readFileSync(path, "utf8"));
  };
  const runs = read("tau_dataset_full.json");
  const labels = read("tau_ground_truth.json");
  if (!Array.isArray(runs) || !Array.isArray(labels)) return [];
  const mistakes = new Map(labels.map((label) => [field(label, "trajectory_id"), rootCauseStep(label)]));
  const turns = runs.map((run) => assistantTurns(field(run, "traj")));
  const options = [...new Set(turns.flatMap((list) => list.map(({ tool }) => tool)))];
  return [
    {
      name: "AgentRx, τ-bench retail",
      published: "none for a ranking of decisions",
      runs: runs.flatMap((run, index) => {
        const steps = turns[index] ?? [];
        const chosen = steps.map(({ tool }) => tool);
        if (field(run, "reward") === 1) return { chosen, options, mistake: null };
        const step = mistakes.get(field(run, "task_id"));
        const mistake = steps.findIndex(({ position }) => position === step);
        // Some mistakes are the user's or a tool's.
        return mistake < 0 ? [] : { chosen, options, mistake };
      }),
    },
  ];
}

/** The step, counted from 1, that the label names as the root cause. */
function rootCauseStep(label: unknown): unknown {
  const failures = field(label, "failures");
  const id = field(field(label, "root_cause"), "failure_id");
  const cause = Array.isArray(failures)
    ? failures.find((failure) => field(failure, "failure_id") === id)
    : undefined;
  return field(cause, "step_number");
}

function assistantTurns(trajectory: unknown): { position: number; tool: string }[] {
  if (!Array.isArray(trajectory)) return [];
  return trajectory.flatMap((message, index) => {
    if (field(message, "role") !== "assistant") return [];
    const calls = field(message, "tool_calls");
    const call: unknown = Array.isArray(calls) ? calls[0] : undefined;
    return { position: index + 1, tool: String(field(field(call, "function"), "name") ?? "respond") };
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
