import type { ReleaseHistory } from "@whytrace/contract";
import { HttpError } from "../../http/http-error.ts";
import type { DayRange } from "../days/read-days.ts";
import {
  type ChosenSides,
  consecutiveRanges,
  type DriftQuery,
  NO_BASE_RELEASE,
} from "../drift/choose-sides.ts";
import { parseDayRange } from "../insights-range.ts";

export type ComparisonQuery = Omit<DriftQuery, "agent" | "tag" | "baseTag">;

/** The newest release of an agent and the one before it; if it has no two releases, the last 7 days and the 7 before them. */
export async function chooseComparedSides(
  query: ComparisonQuery,
  readHistory: (range: DayRange) => Promise<Pick<ReleaseHistory, "releases">>,
): Promise<ChosenSides> {
  const { from, to, baseFrom, baseTo, release, baseRelease } = query;
  const hasRelease = release !== undefined || baseRelease !== undefined;
  const hasRange = [from, to, baseFrom, baseTo].some((time) => time !== undefined);
  if (!hasRelease && hasRange) return consecutiveRanges(query);
  const range = parseDayRange({ from, to });
  const baseRange =
    baseFrom === undefined && baseTo === undefined ? range : parseDayRange({ from: baseFrom, to: baseTo });
  const { releases } = await readHistory(range);
  const names = releases.flatMap(({ name }) => name ?? []);
  const current = release ?? names.findLast((name) => name !== baseRelease);
  const base = baseRelease ?? names[names.indexOf(current ?? "") - 1];
  if (current !== undefined && base !== undefined)
    return { base: { range: baseRange, release: base }, current: { range, release: current } };
  if (hasRelease) throw new HttpError(400, NO_BASE_RELEASE);
  return consecutiveRanges(query);
}
