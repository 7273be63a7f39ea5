import {
  type FilterType,
  TRACE_FILTERS,
  type TraceFilterChip,
  type TraceFilterRow,
} from "@whytrace/contract";

/** A chip and the filters that it sets: one, or the two ends of a range. */
export interface TraceChip extends TraceFilterChip {
  type: FilterType;
  /** Of an enum. */
  options: readonly string[];
  names: string[];
  /** The filters that say more about it, which are cleared together with it. */
  details: string[];
}

const ROWS = Object.entries<TraceFilterRow>(TRACE_FILTERS);

/** The chips of all filters, in the order of the table. */
export const TRACE_CHIPS: readonly TraceChip[] = ROWS.flatMap(([name, { chip, type, values = [] }]) => {
  const ends = ROWS.filter(([, row]) => chip && row.chip?.label === chip.label).map(([end]) => end);
  const details = ROWS.filter(([, row]) => row.of === name).map(([detail]) => detail);
  return chip && ends[0] === name ? { ...chip, type, options: values, names: ends, details } : [];
});

/** Whether users can set the filter with its chip. Links set the others. */
export const isEditable = ({ type, field }: TraceChip): boolean =>
  field !== undefined || type === "enum" || type === "number" || type === "integer";
