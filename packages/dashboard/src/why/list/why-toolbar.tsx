import { type Ref, useCallback } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { DriftIcon } from "../drift-icon.tsx";
import { WHY_SORTS } from "../sort-rows.ts";
import { TypeFilter } from "../type-filter.tsx";
import { DEFAULT_SORT, type WhySearch } from "./why-search.ts";

interface WhyToolbarProps {
  search: WhySearch;
  /** How many decisions drift. */
  drifting: number;
  field: Ref<HTMLInputElement>;
  onFilter: (change: WhySearch, isContinued?: boolean) => void;
}

/** Filters and order of the list. */
export function WhyToolbar({ search, drifting, field, onFilter }: WhyToolbarProps) {
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => onFilter({ search: text }, isContinued),
    [onFilter],
  );
  const isFiltered =
    search.search !== undefined || search.type !== undefined || search.drifting !== undefined;
  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-line px-4 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 className="font-semibold">All decisions</h2>
        <div className="max-sm:w-full">
          <SegmentedControl
            label="Sort"
            options={WHY_SORTS}
            value={search.sort ?? DEFAULT_SORT}
            onChange={(sort) => onFilter({ sort: sort === DEFAULT_SORT ? undefined : sort })}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <div className="w-56 max-sm:w-full">
          <SearchField
            ref={field}
            label="Search options and places"
            placeholder="Search options or spans"
            value={search.search}
            onSearch={onSearch}
          />
        </div>
        <TypeFilter value={search.type} onChange={(type) => onFilter({ type })} />
        {(drifting > 0 || search.drifting) && (
          <button
            type="button"
            aria-pressed={search.drifting !== undefined}
            onClick={() => onFilter({ drifting: search.drifting ? undefined : "1" })}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line px-2.5 text-xs font-medium text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:text-text max-sm:min-h-11"
          >
            <DriftIcon isUp />
            Drifting {drifting}
          </button>
        )}
        {isFiltered && (
          <Button onClick={() => onFilter({ search: undefined, type: undefined, drifting: undefined })}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}
