import { ClearButton, chipPartStyle, chipStyle } from "../ui/filter-chip.tsx";
import { formatTimeRange } from "./received-filter.tsx";
import type { TracesSearch } from "./traces-search.ts";

interface LinkedFiltersProps {
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

/** Filters that only links from other pages set. Users can clear them, but not change them. */
export function LinkedFilters({ search, onFilter }: LinkedFiltersProps) {
  const { startedFrom, startedTo, error, errorMessage, choice } = search;
  return (
    <>
      <ActiveFilter
        label="Started"
        value={formatTimeRange(startedFrom, startedTo)}
        onClear={() => onFilter({ startedFrom: undefined, startedTo: undefined })}
      />
      <ActiveFilter
        label="Error"
        value={error && errorMessage ? `${error}: ${errorMessage}` : error}
        onClear={() => onFilter({ error: undefined, errorMessage: undefined })}
      />
      <ActiveFilter
        label="Choice"
        value={choice}
        onClear={() => onFilter({ choice: undefined, choiceType: undefined })}
      />
    </>
  );
}

function ActiveFilter({
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
