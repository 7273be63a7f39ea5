import type { CauseCells } from "./cause-cells.ts";
import type { Hit } from "./hit.ts";
import { NOW } from "./lags.ts";

/**
 * What rates start with, as a part of the mean rate. While nothing tells causes apart the start decides, so the call that failed
 * itself starts highest, and a pair that stands out above any other choice.
 */
const START = 0.25;
const PAIR_START = 0.5;
const OWN_START = 1.5;
/** A pair or an omission stands out if the same call goes wrong so much less often without it, in so many turns. */
const MIN_CONTRAST = 10;
const MIN_RATIO = 2;
const MIN_OMISSION_RATIO = 3;

/**
 * A pair and an omission must stand out against the same call without them, or they only repeat what that call says. An omission
 * has many rivals, all the choices made in its runs, so it starts with what it surely explains.
 */
export function startRates(
  cells: CauseCells,
  options: number,
  exposures: Float64Array,
  hits: readonly Hit[],
  { base, badWeight }: { base: number; badWeight: number },
): Float64Array {
  const rates = new Float64Array(cells.size).fill(START * base);
  for (let option = 0; option < options; option += 1) rates[cells.lag(option, NOW)] = OWN_START * base;
  const bad = new Float64Array(cells.size);
  for (const { run, cells: own, counts } of hits)
    for (const [i, cell] of own.entries()) bad[cell] = (bad[cell] ?? 0) + run.weight * (counts[i] ?? 0);
  for (let cell = 0; cell < rates.length; cell += 1) {
    const call = cells.callOf(cell);
    // Without a place in time, omissions have no call.
    if (call === undefined || call < 0) continue;
    const callCell = cells.lag(call, NOW);
    const exposed = exposures[cell] ?? 0;
    const badWith = bad[cell] ?? 0;
    const contrast = (exposures[callCell] ?? 0) - exposed;
    const others = (Math.max(0, (bad[callCell] ?? 0) - badWith) + badWeight) / Math.max(1, contrast);
    const standsOut = contrast >= MIN_CONTRAST && badWith >= MIN_RATIO * others * exposed;
    const badRuns = badWith / badWeight;
    const surely = ((badRuns - Math.sqrt(badRuns + 1)) * badWeight) / exposed;
    if (cells.isPair(cell)) rates[cell] = standsOut ? PAIR_START * base : 0;
    else if (standsOut && surely >= MIN_OMISSION_RATIO * others) rates[cell] = surely - others;
  }
  return rates;
}
