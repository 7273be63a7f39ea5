import { STATUSES, TRACE_SORTS } from "@whytrace/contract";
import { type ReactNode, type Ref, useCallback } from "react";
import { MAX_SEARCH_LENGTH } from "../client/read-search.ts";
import { parseOneOf } from "../client/search-params.ts";
import { Button } from "../ui/button.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { SegmentedControl } from "../ui/segmented-control.tsx";
import { SelectChip } from "../ui/select-chip.tsx";
import { LinkedFilters } from "./linked-filters.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { ReceivedFilter } from "./received-filter.tsx";
import { TextFilter } from "./text-filter.tsx";
import { SEARCH_SCOPES, type TracesSearch } from "./traces-search.ts";

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
const statusLabel = (status: string) => status.charAt(0) + status.slice(1).toLowerCase();

export function TraceFilters({ search, isFiltered, field, onFilter, onClear, children }: TraceFiltersProps) {
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => onFilter({ search: text }, isContinued),
    [onFilter],
  );
  const isEverything = search.in === "everything";
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
      <SelectChip
        label="Status"
        text={search.status && `Status: ${statusLabel(search.status)}`}
        value={search.status ?? ""}
        options={[
          { value: "", label: "Any status" },
          ...STATUSES.map((status) => ({ value: status, label: statusLabel(status) })),
        ]}
        onChange={(value) => onFilter({ status: parseOneOf(STATUSES, value) })}
        onClear={search.status && (() => onFilter({ status: undefined }))}
      />
      <TextFilter
        label="Tags"
        field="Any of these tags"
        hint="Separated by commas"
        isList
        value={search.tags}
        values="tag"
        onChange={(tags) => onFilter({ tags })}
      />
      <TextFilter
        label="Session"
        field="Session ID"
        hint="Exact match"
        value={search.sessionId}
        values="session"
        onChange={(sessionId) => onFilter({ sessionId })}
      />
      <TextFilter
        label="Model"
        field="Name of the model"
        hint="Exact match"
        value={search.model}
        values="model"
        onChange={(model) => onFilter({ model })}
      />
      <ReceivedFilter value={search} onChange={onFilter} />
      <MoreFilters search={search} onFilter={onFilter} />
      <LinkedFilters search={search} onFilter={onFilter} />
      {isFiltered && <Button onClick={onClear}>Clear filters</Button>}
      {children}
      {!isEverything && (
        <div className="max-sm:w-full md:ml-auto">
          <SegmentedControl
            label="Sort"
            options={TRACE_SORTS}
            value={search.sort ?? "newest"}
            onChange={(next) => onFilter({ sort: next === "newest" ? undefined : next })}
          />
        </div>
      )}
    </search>
  );
}
