import type { DecisionOutcome } from "@whytrace/contract";
import { ClearButton, chipPartStyle, chipStyle } from "../../ui/controls/filter-chip.tsx";
import { formatTimeRange } from "./format-time-range.ts";
import { isEditable, TRACE_CHIPS, type TraceChip } from "./trace-chips.ts";
import { filterText, setFilters, type TracesSearch } from "./traces-search.ts";

interface LinkedFiltersProps {
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

const OUTCOMES: Record<DecisionOutcome, string> = {
  failed: "then failed",
  recovered: "then recovered",
  fine: "went well",
  open: "still running",
};

/** Filters that only links from other pages set. Users can clear them, but not change them. */
const LINKED = TRACE_CHIPS.filter((chip) => !isEditable(chip) && chip.label !== "Time");

export function LinkedFilters({ search, onFilter }: LinkedFiltersProps) {
  return LINKED.map((chip) => {
    const names = [...chip.names, ...chip.details];
    const cleared = setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
    return (
      <ActiveFilter
        key={chip.label}
        label={chip.label}
        value={shownValue(chip, search)}
        onClear={() => onFilter({ ...cleared, ...(names.includes("step") && { about: undefined }) })}
      />
    );
  });
}

/** What the chip shows; undefined if its filter is not set. */
function shownValue({ type, names, details }: TraceChip, search: TracesSearch): string | undefined {
  const { step, stepOutcome, about } = search;
  const [name = "", end = ""] = names;
  if (type === "date") return formatTimeRange(filterText(search, name), filterText(search, end));
  const text = filterText(search, name);
  if (text === undefined) return undefined;
  // What is behind a hash is only known from the link.
  if (name === "step")
    return [about ?? "one choice", stepOutcome && OUTCOMES[stepOutcome]].filter(Boolean).join(", ");
  if (name === "fingerprint") return (!step && about) || "one error";
  return [text, ...details.map((detail) => filterText(search, detail))].filter(Boolean).join(": ");
}

export function ActiveFilter({
  label,
  value,
  onClear,
}: {
  label: string;
  value: string | undefined;
  onClear: () => void;
}) {
  if (value === undefined) return null;
  return (
    <span className={chipStyle(true)} title={`${label}: ${value}`}>
      <span className={chipPartStyle}>
        <span className="max-w-64 truncate">
          {label}: {value}
        </span>
      </span>
      <ClearButton label={label} onClear={onClear} />
    </span>
  );
}
