import { releaseGroup } from "@whytrace/contract";
import type { SelectChipOption } from "../ui/controls/select-chip.tsx";
import { formatCount } from "../ui/format/format.ts";

/** More releases are easier to find below their minor version. */
const MAX_UNGROUPED = 8;

/** The options of a picker: the newest release first, many of them grouped by what their patch versions have in common. */
export function releaseOptions(
  releases: readonly { name: string; runs: number }[],
): SelectChipOption<string>[] {
  const isGrouped = releases.length > MAX_UNGROUPED;
  return releases.toReversed().map(({ name, runs }) => ({
    value: name,
    label: `${name} (${formatCount(runs)} runs)`,
    group: isGrouped ? (releaseGroup(name) ?? undefined) : undefined,
  }));
}
