import { DECISION_POINT_TYPES } from "@whytrace/contract";
import { useRef, useState } from "react";
import { parseOneOf } from "../client/search-params.ts";
import { typeLabel } from "../ui/badges.tsx";
import { formatCost, formatDuration } from "../ui/format.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import { SelectChip } from "../ui/select-chip.tsx";
import { AgentFilter } from "./agent-filter.tsx";
import { ActiveFilter } from "./linked-filters.tsx";
import { RangeFilter } from "./range-filter.tsx";
import { TextFilter } from "./text-filter.tsx";
import { metadataFilters, type TracesSearch, toMetadataFilter } from "./traces-search.ts";

interface MoreFiltersProps {
  search: TracesSearch;
  onFilter: (change: TracesSearch) => void;
}

const FILTERS = ["Cost", "Duration", "Errors", "Metadata", "Agent", "Choice", "Decision type"] as const;
type FilterName = (typeof FILTERS)[number];

/** Filters that have a chip only while they are set, and a menu that adds them. */
export function MoreFilters({ search, onFilter }: MoreFiltersProps) {
  const [added, setAdded] = useState<FilterName>();
  const menu = useRef<HTMLDivElement>(null);
  const { costFrom, costTo, durationFrom, durationTo, errorsFrom, agent, choice, choiceType } = search;
  const opening = (name: FilterName) => ({
    isInitiallyOpen: added === name,
    onClosed: () => {
      if (added === undefined) return;
      setAdded(undefined);
      // The chip disappears if its filter was not set.
      menu.current?.querySelector("button")?.focus();
    },
  });
  return (
    <>
      {(costFrom || costTo || added === "Cost") && (
        <RangeFilter
          {...opening("Cost")}
          label="Cost"
          unit="US dollars. Traces without a cost are left out."
          step="any"
          value={{ from: costFrom, to: costTo }}
          format={formatCost}
          onChange={({ from, to }) => onFilter({ costFrom: from, costTo: to })}
        />
      )}
      {(durationFrom || durationTo || added === "Duration") && (
        <RangeFilter
          {...opening("Duration")}
          label="Duration"
          unit="Milliseconds. Traces without a duration are left out."
          step="any"
          value={{ from: durationFrom, to: durationTo }}
          format={formatDuration}
          onChange={({ from, to }) => onFilter({ durationFrom: from, durationTo: to })}
        />
      )}
      {(errorsFrom || added === "Errors") && (
        <RangeFilter
          {...opening("Errors")}
          label="Errors"
          unit="Failed spans in the trace"
          step={1}
          hasTo={false}
          value={{ from: errorsFrom }}
          format={(count) => count.toLocaleString("en")}
          onChange={({ from }) => onFilter({ errorsFrom: from })}
        />
      )}
      {metadataFilters(search).map(({ name, key, value }) => (
        <ActiveFilter
          key={name}
          label={`Metadata ${key}`}
          value={value}
          onClear={() => onFilter({ [name]: undefined })}
        />
      ))}
      {added === "Metadata" && (
        <TextFilter
          {...opening("Metadata")}
          label="Metadata"
          field="Key and value"
          hint="As key=value, exact match"
          value={undefined}
          values="metadata"
          onChange={(text) => onFilter((text && toMetadataFilter(text)) || {})}
        />
      )}
      {(agent || added === "Agent") && (
        <AgentFilter {...opening("Agent")} value={agent} onChange={(next) => onFilter({ agent: next })} />
      )}
      {(choice || added === "Choice") && (
        <TextFilter
          {...opening("Choice")}
          label="Choice"
          field="Name of the option"
          hint="A decision chose it. Exact match"
          value={choice}
          values="choice"
          onChange={(next) => onFilter({ choice: next })}
        />
      )}
      {(choiceType || added === "Decision type") && (
        <SelectChip
          label="Decision type"
          text={choiceType && `Decision: ${typeLabel(choiceType)}`}
          value={choiceType ?? ""}
          options={[
            { value: "", label: "Any type" },
            ...DECISION_POINT_TYPES.map((type) => ({ value: type, label: typeLabel(type) })),
          ]}
          onChange={(value) => {
            setAdded(undefined);
            onFilter({ choiceType: parseOneOf(DECISION_POINT_TYPES, value) });
          }}
          onClear={() => {
            setAdded(undefined);
            onFilter({ choiceType: undefined });
          }}
        />
      )}
      <div ref={menu}>
        <MenuButton
          label="Add a filter"
          className="inline-flex min-h-8 items-center rounded-md border border-dashed border-line bg-bg px-2.5 text-xs font-medium text-muted hover:text-text max-sm:min-h-11 max-sm:px-3"
          menuClassName="left-0 w-44"
          items={FILTERS.map((name) => ({ label: name, onSelect: () => setAdded(name) }))}
        >
          + Filter
        </MenuButton>
      </div>
    </>
  );
}
