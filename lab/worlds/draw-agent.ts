import type { World, WorldAgent, WorldRun } from "./world.ts";
import { WorldRandom } from "./world-random.ts";
import { WORLDS } from "./worlds.ts";

export interface DrawnAgent {
  agent: WorldAgent;
  runs: readonly WorldRun[];
}

/** Draws an agent of a world and its runs; the same numbers give the same agent. */
export function drawAgent(world: World, number: number, runs: number, seed: number): DrawnAgent {
  const random = new WorldRandom(seed * 1_000_003 + WORLDS.indexOf(world) * 10_007 + number * 101 + runs);
  const agent = world.draw(random);
  return { agent, runs: Array.from({ length: runs }, (_, index) => agent.run(index, runs)) };
}
