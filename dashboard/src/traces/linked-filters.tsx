import { ClearButton, chipPartStyle, chipStyle } from "../ui/filter-chip.tsx";
import { formatTimeRange } from "./received-filter.tsx";
import type { TraceOutcome, TracesSearch } from "./traces-search.ts";

interface LinkedFiltersProps {
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

const OUTCOMES: Record<TraceOutcome, string> = {
  failed: "then failed",
  recovered: "then recovered",
  fine: "went well",
};

/** Filters that only links from other pages set. Users can clear them, but not change them. */
export function LinkedFilters({ search, onFilter }: LinkedFiltersProps) {
  const { startedFrom, startedTo, error, errorMessage, release, step, outcome, fingerprint, about } = search;
  const decision = about ?? "one choice";
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
      <ActiveFilter label="Release" value={release} onClear={() => onFilter({ release: undefined })} />
      <ActiveFilter
        label="Decision"
        value={step && (outcome ? `${decision}, ${OUTCOMES[outcome]}` : decision)}
        onClear={() => onFilter({ step: undefined, outcome: undefined, after: undefined, about: undefined })}
      />
      <ActiveFilter
        label="Same error"
        value={fingerprint && ((!step && about) || "one error")}
        onClear={() => onFilter({ fingerprint: undefined })}
      />
    </>
  );
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
