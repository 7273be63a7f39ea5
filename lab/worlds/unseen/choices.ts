import type { RunRecorder } from "../run-recorder.ts";
import type { WorldRandom } from "../world-random.ts";

/** A list to draw from: each tool as often as it weighs. */
export function mix(weights: Record<string, number>): string[] {
  return Object.entries(weights).flatMap(([tool, weight]) => Array<string>(weight).fill(tool));
}

/** The tool in this share of cases (steps of 5 %), or null. */
export function perhaps(random: WorldRandom, tool: string, share: number): string | null {
  const chosen = Math.round(share * 20);
  return random.oneOf([...Array<string>(chosen).fill(tool), ...Array<null>(20 - chosen).fill(null)]);
}

/** Calls a tool with an error that does no harm in this share of calls; then the call is made again. */
export function callWithNoise(random: WorldRandom, run: RunRecorder, tool: string, share: number) {
  if (random.chance(share)) run.call(tool, "temporary error");
  run.call(tool);
}

/** The culprit's turn, if there is one. */
export const some = (culprit: number): number[] => (culprit < 0 ? [] : [culprit]);
