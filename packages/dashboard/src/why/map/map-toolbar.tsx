import type { DecisionMap } from "@whytrace/contract";
import { type Ref, useCallback, useId } from "react";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { FoldedMap } from "./fold-rare.ts";
import { listedChoices } from "./listed-choices.ts";
import { MAP_VIEWS, type MapSearch, type MapView } from "./map-search.ts";

interface MapToolbarProps {
  map: DecisionMap;
  folded: FoldedMap;
  search: MapSearch;
  view: MapView;
  /** How many choices the search finds. */
  found: number | undefined;
  field: Ref<HTMLInputElement>;
  onShow: (change: MapSearch, isContinued?: boolean) => void;
}

/** Finds choices, and says how much of the map is shown. */
export function MapToolbar({ map, folded, search, view, found, field, onShow }: MapToolbarProps) {
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => onShow({ search: text }, isContinued),
    [onShow],
  );
  const isDefault = search.choices === undefined && search.paths === undefined;
  return (
    <search className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 pb-2.5">
      <div className="w-56 max-sm:w-full">
        <SearchField
          ref={field}
          label="Find a decision"
          maxLength={200}
          value={search.search}
          onSearch={onSearch}
        />
      </div>
      <Slider
        label="Choices"
        value={folded.nodes.length - 1}
        max={listedChoices(map).length}
        onChange={(choices) => onShow({ choices }, true)}
      />
      <Slider
        label="Paths"
        value={folded.edges.length}
        max={folded.paths}
        onChange={(paths) => onShow({ paths }, true)}
      />
      <p aria-live="polite" className="min-w-0 text-xs text-muted">
        {found === undefined
          ? isDefault
            ? "rarer than 1 % of runs is folded"
            : "rarer ones are folded"
          : `${found} found`}
        {map.isTruncated && ", and the rarest are not counted"}
      </p>
      {!isDefault && (
        <button
          type="button"
          className="min-h-8 text-xs text-accent hover:underline max-sm:min-h-11"
          onClick={() => onShow({ choices: undefined, paths: undefined }, true)}
        >
          Reset
        </button>
      )}
      <div className="max-sm:w-full md:ml-auto">
        <SegmentedControl
          label="Show as"
          options={MAP_VIEWS}
          value={view}
          onChange={(next) => onShow({ view: next })}
        />
      </div>
    </search>
  );
}

interface SliderProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
}

/** How many of the most frequent ones are shown. */
function Slider({ label, value, max, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-xs max-sm:w-full">
      <label htmlFor={id} className="max-sm:w-14">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={Math.min(1, max)}
        max={max}
        value={value}
        disabled={max < 2}
        aria-valuetext={`${value} of ${max}`}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-8 w-24 accent-accent max-sm:h-11 max-sm:min-w-0 max-sm:flex-1"
      />
      <span className="min-w-16 tabular-nums">
        {value} of {max}
      </span>
    </div>
  );
}
