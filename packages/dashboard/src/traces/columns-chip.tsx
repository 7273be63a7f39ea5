import { FilterChip } from "../ui/controls/filter-chip.tsx";
import { TRACE_COLUMNS, type TraceColumn } from "./trace-columns.ts";

interface ColumnsChipProps {
  shown: readonly TraceColumn[];
  onToggle: (column: TraceColumn) => void;
}

/** Chooses the columns of the list. */
export function ColumnsChip({ shown, onToggle }: ColumnsChipProps) {
  return (
    <FilterChip label="Columns" value={undefined} onClear={() => {}}>
      {() => (
        <fieldset className="grid">
          <legend className="pb-1.5 text-xs text-muted">Show in this browser</legend>
          {TRACE_COLUMNS.map((column) => (
            <label key={column} className="flex min-h-8 items-center gap-2 max-sm:min-h-11">
              <input type="checkbox" checked={shown.includes(column)} onChange={() => onToggle(column)} />
              {column}
            </label>
          ))}
        </fieldset>
      )}
    </FilterChip>
  );
}
