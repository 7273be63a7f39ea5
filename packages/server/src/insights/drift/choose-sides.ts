import { HttpError } from "../../http/http-error.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { parseDayRange } from "../insights-range.ts";
import { findRuns } from "../names/find-runs.ts";
import { listReleases } from "../names/list-releases.ts";
import type { GroupNames } from "../names/read-group-names.ts";

/** What a request asks to compare. Times are milliseconds since 1970. */
export interface DriftQuery {
  agent?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  baseFrom?: number | undefined;
  baseTo?: number | undefined;
  release?: string | undefined;
  baseRelease?: string | undefined;
  tag?: string | undefined;
  baseTag?: string | undefined;
}

/** The runs of one side. */
export interface ChosenSide {
  range: DayRange;
  release?: string | undefined;
  tag?: string | undefined;
}

export interface ChosenSides {
  base: ChosenSide;
  current: ChosenSide;
}

/** Reads the days of a range and the names of their agents and releases. */
export type ReadReleases = (range: DayRange) => Promise<{ days: DaysRead; names: GroupNames }>;

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 7;
export const MIXED = "Compare releases, tags or time ranges: release and tag cannot be combined.";
export const ONE_TAG = "tag and baseTag must be given together.";
export const NO_BASE_RELEASE = "There is no release to compare with in this time range. Give baseRelease.";

/** The newest release and the one before it; without releases the last 7 days and the 7 before them. */
export async function chooseSides(query: DriftQuery, readReleases: ReadReleases): Promise<ChosenSides> {
  const { from, to, baseFrom, baseTo, release, baseRelease, tag, baseTag } = query;
  const hasRelease = release !== undefined || baseRelease !== undefined;
  const hasTag = tag !== undefined || baseTag !== undefined;
  if (hasRelease && hasTag) throw new HttpError(400, MIXED);
  if (hasTag && (tag === undefined || baseTag === undefined)) throw new HttpError(400, ONE_TAG);
  const hasRange = [from, to, baseFrom, baseTo].some((time) => time !== undefined);
  if (!hasRelease && !hasTag && hasRange) return consecutiveRanges(query);
  const range = parseDayRange({ from, to });
  const baseRange =
    baseFrom === undefined && baseTo === undefined ? range : parseDayRange({ from: baseFrom, to: baseTo });
  if (hasTag) return { base: { range: baseRange, tag: baseTag }, current: { range, tag } };
  if (release !== undefined && baseRelease !== undefined)
    return { base: { range: baseRange, release: baseRelease }, current: { range, release } };
  const pair = releasePair(await readReleases(range), query);
  if (pair)
    return { base: { range: baseRange, release: pair.base }, current: { range, release: pair.current } };
  if (hasRelease) throw new HttpError(400, NO_BASE_RELEASE);
  return consecutiveRanges(query);
}

/** Where only one range is given, the base ends where the current one begins, and is as long. */
export function consecutiveRanges({ from, to = Date.now(), baseFrom, baseTo }: DriftQuery): ChosenSides {
  const current = parseDayRange({ from: from ?? to - (DEFAULT_DAYS - 1) * DAY_MS, to });
  const start = Date.parse(current.from);
  const length = Date.parse(current.to) - start;
  const end = baseTo ?? start;
  const base = parseDayRange({ from: baseFrom ?? end - length, to: end });
  return { base: { range: base }, current: { range: current } };
}

/** Of all agents, or the given one: the newest release with another one before it; or the one before the given one. */
function releasePair(
  { days, names }: Awaited<ReturnType<ReadReleases>>,
  { agent, release, baseRelease }: DriftQuery,
): { base: string; current: string } | null {
  const only = findRuns(days.tally, { agent }).agent;
  let newest: { base: string; current: string; firstDay: string } | null = null;
  for (const row of only === undefined ? names.agents.keys() : [only]) {
    const releases = listReleases(days, names, { agent: row });
    const at =
      release !== undefined
        ? releases.findIndex(({ name }) => name === release)
        : releases.findLastIndex(({ name }) => name !== baseRelease);
    const current = releases[at];
    const base = baseRelease ?? releases[at - 1]?.name;
    if (!current || base === undefined || current.name === base) continue;
    if (newest === null || current.firstDay > newest.firstDay)
      newest = { base, current: current.name, firstDay: current.firstDay };
  }
  return newest;
}
