import type { Release } from "@whytrace/contract";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { releaseOptions } from "./release-options.ts";

interface ReleasePickerProps {
  releases: readonly Pick<Release, "name" | "runs">[];
  release: string | undefined;
  onChange: (release: string | undefined) => void;
}

/** Limits what is counted to one release. */
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
        ...releaseOptions(releases),
      ]}
      onChange={(next) => onChange(next || undefined)}
      onClear={release ? () => onChange(undefined) : undefined}
    />
  );
}
