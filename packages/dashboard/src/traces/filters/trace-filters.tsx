import { TRACE_SORTS } from "@whytrace/contract";
import { type ReactNode, type Ref, useCallback, useId, useState } from "react";
import { MAX_SEARCH_LENGTH } from "../../client/read-search.ts";
import { parseOneOf } from "../../client/search-params.ts";
import { typeLabel } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { SelectChip } from "../../ui/controls/select-chip.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { LinkedFilters } from "./linked-filters.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { ReceivedFilter } from "./received-filter.tsx";
import { isEditable, TRACE_CHIPS } from "./trace-chips.ts";
import { TraceFilterChip } from "./trace-filter-chip.tsx";
import { filterText, metadataFilters, SEARCH_SCOPES, type TracesSearch } from "./traces-search.ts";

interface TraceFiltersProps {
  search: TracesSearch;
  isFiltered: boolean;
  field: Ref<HTMLInputElement>;
  onFilter: (change: TracesSearch, isContinued?: boolean) => void;
  onClear: () => void;
  /** Further chips. */
  children?: ReactNode;
}

/** A search in everything reads all payloads, so it waits longer for the next letter. */
const SLOW_DEBOUNCE_MS = 400;

/** The filters whose chips are always there, in this order. The others have a menu. */
const BAR_LABELS = ["Status", "Outcome"];
const BAR = BAR_LABELS.flatMap((label) => TRACE_CHIPS.find((chip) => chip.label === label) ?? []);
const MENU = TRACE_CHIPS.filter((chip) => isEditable(chip) && !BAR.includes(chip)).toSorted((one, other) =>
  one.label.localeCompare(other.label, "en"),
);

/** How many filters are set, besides the search and the time, which are always shown. */
const setCount = (search: TracesSearch) =>
  TRACE_CHIPS.filter(({ names }) => names.some((name) => filterText(search, name))).length +
  metadataFilters(search).length;

/** The filters of the list. On a phone most of them are behind one button. */
export function TraceFilters({ search, isFiltered, field, onFilter, onClear, children }: TraceFiltersProps) {
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => onFilter({ search: text }, isContinued),
    [onFilter],
  );
  const isEverything = search.in === "everything";
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const count = setCount(search);
  return (
    <search className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 pb-2.5">
      <div className="flex max-w-full gap-1.5 max-sm:w-full">
        <SearchField
          ref={field}
          label={isEverything ? "Search in everything" : "Search by name"}
          value={search.search}
          {...(isEverything && { debounceMs: SLOW_DEBOUNCE_MS, maxLength: MAX_SEARCH_LENGTH })}
          onSearch={onSearch}
        />
        <SegmentedControl
          label="Search in"
          options={SEARCH_SCOPES}
          value={search.in ?? "names"}
          onChange={(scope) => onFilter({ in: scope === "everything" ? scope : undefined })}
        />
      </div>
      <ReceivedFilter value={search} onChange={onFilter} />
      <Button
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {count === 0 ? "Filter" : `Filter (${count})`}
        <span aria-hidden="true">{isOpen ? "▴" : "▾"}</span>
      </Button>
      <div id={id} className={isOpen ? "contents" : "contents max-sm:hidden"}>
        {BAR.map((chip) => (
          <TraceFilterChip key={chip.label} chip={chip} search={search} onFilter={onFilter} />
        ))}
        <MoreFilters chips={MENU} search={search} onFilter={onFilter} />
        <LinkedFilters search={search} onFilter={onFilter} />
        {isFiltered && <Button onClick={onClear}>Clear filters</Button>}
        {children}
      </div>
      {!isEverything && (
        // On wider screens the heads of columns sort.
        <div className="lg:hidden">
          <SelectChip
            label="Sort"
            text={`Sort: ${search.sort ?? "newest"}`}
            value={search.sort ?? "newest"}
            options={TRACE_SORTS.map((sort) => ({ value: sort, label: typeLabel(sort.toUpperCase()) }))}
            onChange={(next) =>
              onFilter({ sort: next === "newest" ? undefined : parseOneOf(TRACE_SORTS, next) })
            }
          />
        </div>
      )}
    </search>
  );
}
