import { useRef, useState } from "react";
import { MenuButton } from "../../ui/controls/menu-button.tsx";
import { ActiveFilter } from "./linked-filters.tsx";
import { TextFilter } from "./text-filter.tsx";
import type { TraceChip } from "./trace-chips.ts";
import { TraceFilterChip } from "./trace-filter-chip.tsx";
import { filterText, metadataFilters, type TracesSearch, toMetadataFilter } from "./traces-search.ts";

interface MoreFiltersProps {
  chips: readonly TraceChip[];
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

/** Filters that have a chip only while they are set, and a menu that adds them. */
export function MoreFilters({ chips, search, onFilter }: MoreFiltersProps) {
  const [added, setAdded] = useState<string>();
  const menu = useRef<HTMLDivElement>(null);
  const opening = (label: string) => ({
    isInitiallyOpen: added === label,
    onClosed: () => {
      if (added === undefined) return;
      setAdded(undefined);
      // The chip disappears if its filter was not set.
      menu.current?.querySelector("button")?.focus();
    },
  });
  return (
    <>
      {metadataFilters(search).map(({ name, key, value }) => (
        <ActiveFilter
          key={name}
          label={`Metadata ${key}`}
          value={value}
          onClear={() => onFilter({ [name]: undefined })}
        />
      ))}
      {chips
        .filter(({ label, names }) => added === label || names.some((name) => filterText(search, name)))
        .map((chip) =>
          chip.type === "pairs" ? (
            <TextFilter
              {...opening(chip.label)}
              key={chip.label}
              label={chip.label}
              field={chip.field ?? ""}
              hint={chip.hint ?? ""}
              value={undefined}
              values={chip.values}
              onChange={(text) => onFilter((text && toMetadataFilter(text)) || {})}
            />
          ) : (
            <TraceFilterChip
              {...opening(chip.label)}
              key={chip.label}
              chip={chip}
              search={search}
              onFilter={onFilter}
            />
          ),
        )}
      <div ref={menu}>
        <MenuButton
          label="Add a filter"
          className="inline-flex min-h-8 items-center rounded-md border border-dashed border-line bg-bg px-2.5 text-xs font-medium text-muted hover:text-text max-sm:min-h-11 max-sm:px-3"
          menuClassName="left-0 w-44"
          items={chips.map(({ label }) => ({ label, onSelect: () => setAdded(label) }))}
        >
          + Filter
        </MenuButton>
      </div>
    </>
  );
}
