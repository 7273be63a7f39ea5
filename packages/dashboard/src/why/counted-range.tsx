import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { DEFAULT_RANGE } from "./counted-search.ts";

interface CountedRangeProps {
  range: RangeName | undefined;
  onChange: (range: RangeName | undefined) => void;
}

/** Picks the time range. The default one is not in the URL. */
export function CountedRange({ range = DEFAULT_RANGE, onChange }: CountedRangeProps) {
  return (
    <SegmentedControl
      label="Time range"
      options={RANGE_NAMES}
      value={range}
      onChange={(next) => onChange(next === DEFAULT_RANGE ? undefined : next)}
    />
  );
}
