import type { ClaimKind } from "./list/option-test.ts";

const ENTER_BELOW = 0.005;
const STAY_BELOW = 0.05;

interface WatchedFinding {
  kind: ClaimKind;
  option: number;
  adjusted: number;
}

/**
 * A list that is looked at every day is computed from nearly the same runs again and again, so each look is another chance for a
 * false entry. A finding enters at a tenth of the level and stays while it holds at the level. Returns what is listed now, and
 * since when.
 */
export function watchFindings<T extends WatchedFinding, Time>(
  listed: readonly { finding: WatchedFinding; since: Time }[],
  found: readonly T[],
  now: Time,
): { finding: T; since: Time }[] {
  return found.flatMap((finding) => {
    const isThis = (one: WatchedFinding) => one.kind === finding.kind && one.option === finding.option;
    const known = listed.find((entry) => isThis(entry.finding));
    const isListed = finding.adjusted < (known ? STAY_BELOW : ENTER_BELOW);
    return isListed ? [{ finding, since: known?.since ?? now }] : [];
  });
}
