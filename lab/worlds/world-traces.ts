import { randomBytes } from "node:crypto";
import { drawAgent } from "./draw-agent.ts";
import { postedRun } from "./posted-run.ts";
import type { WorldAgent, WorldRun } from "./world.ts";
import { WORLDS } from "./worlds.ts";

export interface WorldTraces {
  agent: WorldAgent;
  runs: readonly WorldRun[];
  /** Bodies for POST /api/traces, in the order of time. */
  traces: ReturnType<typeof postedRun>[];
}

interface WorldTracesOptions {
  world: string;
  /** The name of the traces. */
  name: string;
  runs: number;
  number?: number;
  /** When the first run starts, and how long after each run the next one does. */
  startedAtMs: number;
  stepMs: number;
}

/** Runs of an agent whose faults are known, as the SDK sends them. */
export function worldTraces({
  world: worldName,
  name,
  runs: count,
  number = 0,
  startedAtMs,
  stepMs,
}: WorldTracesOptions): WorldTraces {
  const world = WORLDS.find((one) => one.name === worldName);
  if (!world) throw new Error(`no world ${worldName}`);
  const { agent, runs } = drawAgent(world, number, count, 1);
  const idPrefix = randomBytes(10).toString("hex");
  const traces = runs.map((run, index) =>
    postedRun(run, agent, {
      traceId: idPrefix + (index + 1).toString(16).padStart(12, "0"),
      agent: name,
      startedAtMs: startedAtMs + index * stepMs,
    }),
  );
  return { agent, runs, traces };
}
