import type { ObservedRun } from "../../packages/server/src/insights/findings/runs/observed-run.ts";
import { WorldRandom } from "./world-random.ts";

export interface CostWorld {
  /** The standard deviation of the logarithm of a turn's cost: above 1 a few turns cost as much as all others. */
  spread: number;
  /** The same of what all turns of a session have in common. */
  sessionSpread: number;
  /** By how much a turn costs more than the one before: the model reads again what came before. */
  growth: number;
  /** Costs so many times as much; absent: nothing does. */
  dear?: { option: number; times: number };
}

/** Gives turns a cost that depends on the session and the turn, and on nothing that was chosen but what is planted. */
export function withCosts(runs: readonly ObservedRun[], world: CostWorld, seed: number): ObservedRun[] {
  const random = new WorldRandom(seed);
  const ofSession = new Map<number, number>();
  return runs.map((run) => {
    const common = ofSession.get(run.cluster) ?? Math.exp(world.sessionSpread * random.normal());
    ofSession.set(run.cluster, common);
    const costs = run.turns.map((turn, index) => {
      const times = world.dear && turn.includes(world.dear.option) ? world.dear.times : 1;
      return 0.002 * common * (1 + world.growth * index) * Math.exp(world.spread * random.normal()) * times;
    });
    return { ...run, costs };
  });
}
