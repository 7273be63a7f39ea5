import { ClearButton, chipPartStyle, chipStyle } from "../ui/filter-chip.tsx";
import { formatTimeRange } from "./received-filter.tsx";
import type { TracesSearch } from "./traces-search.ts";

interface LinkedFiltersProps {
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

/** Filters that only links of other pages set: each says what it is set to, and can be taken off. */
export function LinkedFilters({ search, onFilter }: LinkedFiltersProps) {
  const { startedFrom, startedTo, error, errorMessage, choice } = search;
  return (
    <>
      <SetChip
        label="Started"
        value={formatTimeRange(startedFrom, startedTo)}
        onClear={() => onFilter({ startedFrom: undefined, startedTo: undefined })}
      />
      <SetChip
        label="Error"
        value={error && errorMessage ? `${error}: ${errorMessage}` : error}
        onClear={() => onFilter({ error: undefined, errorMessage: undefined })}
      />
      <SetChip
        label="Chose"
        value={choice}
        onClear={() => onFilter({ choice: undefined, choiceType: undefined })}
      />
    </>
  );
}

function SetChip({
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
