import { MIN_COMPARED_DECISIONS, type Rate, type Suspect } from "@whytrace/contract";

export const shareOf = ({ failed, decisions }: Rate) => (decisions === 0 ? 0 : failed / decisions);

export const isFew = ({ decisions }: Rate) => decisions < MIN_COMPARED_DECISIONS;

/** How many times as often runs failed after the choice as after the alternative; null if there are too few to say. */
export function failureLift({ chosen, alternative }: Suspect): number | null {
  if (!alternative || isFew(chosen) || isFew(alternative.rate)) return null;
  // Half a failure more on each side, so that an alternative that never failed has a lift, too.
  const smoothed = ({ failed, decisions }: Rate) => (failed + 0.5) / (decisions + 0.5);
  return smoothed(chosen) / smoothed(alternative.rate);
}
