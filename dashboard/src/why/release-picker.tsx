import type { Release } from "@whytrace/contract";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { formatCount } from "../ui/format/format.ts";

interface ReleasePickerProps {
  releases: readonly Release[];
  release: string | undefined;
  onChange: (release: string | undefined) => void;
}

/** Limits what is counted to one release. While one is picked, the response names no other: then it can be cleared. */
export function ReleasePicker({ releases, release = "", onChange }: ReleasePickerProps) {
  if (releases.length < 2 && !release) return null;
  const names = releases.map(({ name }) => name);
  return (
    <SelectChip
      label="Release"
      text={release ? `Release: ${release}` : "Release ▾"}
      value={release}
      options={[
        { value: "", label: "All releases" },
        ...(release && !names.includes(release) ? [{ value: release, label: release }] : []),
        ...releases
          .toReversed()
          .map(({ name, runs }) => ({ value: name, label: `${name} (${formatCount(runs)} runs)` })),
      ]}
      onChange={(next) => onChange(next || undefined)}
      onClear={release ? () => onChange(undefined) : undefined}
    />
  );
}
