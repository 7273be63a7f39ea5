import type { Experiment } from "../schemas/insights/experiment.ts";
import { shortCount } from "./short-numbers.ts";

/** What an experiment says, to follow the sentence on an option. `did` is what bad runs did, such as "failed". */
export function experimentWords({ difference, low, high, drawn }: Experiment, did: string): string {
  const size = Math.abs(Math.round(100 * difference));
  const points = `${size} ${size === 1 ? "point" : "points"}`;
  const more = size === 0 ? "as often" : `${points} ${difference > 0 ? "more" : "less"} often`;
  return (
    ` Measured by experiment, ${shortCount(drawn)} drawn runs: those that drew it ${did} ${more} ` +
    `than those that drew another (interval ${signed(low)} to ${signed(high)}).`
  );
}

/** The same if the draws cannot tell yet. */
export const undecidedExperimentWords = ({ low, high, drawn }: Experiment): string =>
  ` An experiment of ${shortCount(drawn)} drawn runs cannot tell yet whether it does harm (interval ${signed(low)} to ${signed(high)} points).`;

/** Whether the draws alone say that the option does harm. */
export const isHarmMeasured = ({ low }: Experiment): boolean => low > 0;

function signed(share: number): string {
  const points = Math.round(100 * share);
  return points < 0 ? `−${-points}` : `${points}`;
}
