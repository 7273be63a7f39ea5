import type { Release } from "@whytrace/contract";
import { GROUP_COUNTS } from "../days/count-columns.ts";
import type { DaysRead } from "../days/read-days.ts";
import { isInFilter, type RunFilter } from "../days/signature-figures.ts";
import { compareVersions } from "./compare-versions.ts";
import type { GroupNames } from "./read-group-names.ts";

/** The releases that ran, in the order of their first days; those of one day in the order of their versions. */
export function listReleases({ tally, days }: DaysRead, names: GroupNames, filter: RunFilter): Release[] {
  const releases = new Map<number, Release>();
  // Newest first, so the first day is the last one that is seen.
  for (const { day, groups } of days)
    for (const group of groups) {
      const hash = tally.releaseOf(group);
      const name = names.releases.get(hash);
      if (name === undefined || !isInFilter(tally, group, filter)) continue;
      const release = releases.get(hash);
      if (release) release.firstDay = day;
      else releases.set(hash, { name, firstDay: day, runs: 0 });
    }
  for (let group = 0; group < tally.groups.size; group += 1) {
    const release = releases.get(tally.releaseOf(group));
    if (release && isInFilter(tally, group, filter))
      release.runs += tally.groups.get(group, GROUP_COUNTS.runs);
  }
  return [...releases.values()].sort((a, b) =>
    a.firstDay === b.firstDay ? compareVersions(a.name, b.name) : a.firstDay < b.firstDay ? -1 : 1,
  );
}
