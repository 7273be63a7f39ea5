import { typeLabel } from "../../ui/badges.tsx";
import { SelectChip } from "../../ui/controls/select-chip.tsx";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { IssueFilter } from "./issue-filter.tsx";
import { RangeFilter } from "./range-filter.tsx";
import { scoreFilterWords } from "./score-filter-words.ts";
import { TextFilter } from "./text-filter.tsx";
import type { TraceChip } from "./trace-chips.ts";
import { filterText, setFilters, type TracesSearch } from "./traces-search.ts";

interface TraceFilterChipProps {
  chip: TraceChip;
  search: TracesSearch;
  isInitiallyOpen?: boolean;
  onClosed?: () => void;
  onFilter: (change: TracesSearch) => void;
}

const FORMATS = {
  usd: formatCost,
  ms: formatDuration,
  count: (count: number) => count.toLocaleString("en"),
};

/** A chip with which users set a filter, as the table of filters describes it. */
export function TraceFilterChip({
  chip,
  search,
  isInitiallyOpen = false,
  onClosed = () => {},
  onFilter,
}: TraceFilterChipProps) {
  const { type, label, field = "", hint = "", values, unit = "count", options, names, details } = chip;
  const opening = { isInitiallyOpen, onClosed };
  const [name = "", otherEnd] = names;
  const value = filterText(search, name);
  if (name === "issue")
    return (
      <IssueFilter
        {...opening}
        {...{ label, hint, value }}
        onChange={(next) => onFilter(setFilters({ issue: next?.replace("#", "") }))}
      />
    );
  if (type === "number" || type === "integer") {
    const end = otherEnd ?? "";
    return (
      <RangeFilter
        {...opening}
        label={label}
        unit={hint}
        step={type === "integer" ? 1 : "any"}
        hasTo={otherEnd !== undefined}
        value={{ from: value, to: filterText(search, end) }}
        format={FORMATS[unit]}
        onChange={({ from, to }) => onFilter(setFilters({ [name]: from, ...(otherEnd && { [end]: to }) }))}
      />
    );
  }
  if (type === "enum") {
    const change = (next: string | undefined) => {
      onClosed();
      onFilter(setFilters({ [name]: next }));
    };
    return (
      <SelectChip
        label={label}
        text={value && `${label}: ${typeLabel(value)}`}
        value={value ?? ""}
        options={[
          { value: "", label: `Any ${label.toLowerCase()}` },
          ...options.map((option) => ({ value: option, label: typeLabel(option) })),
        ]}
        onChange={change}
        onClear={value || isInitiallyOpen ? () => change(undefined) : undefined}
      />
    );
  }
  return (
    <TextFilter
      {...opening}
      label={label}
      field={field}
      hint={hint}
      isList={type === "list"}
      value={value}
      shown={name === "scoreName" ? scoreFilterWords(search) : undefined}
      values={values}
      onChange={(next) =>
        onFilter(setFilters({ ...Object.fromEntries(details.map((one) => [one, undefined])), [name]: next }))
      }
    />
  );
}
