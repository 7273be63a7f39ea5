/** The cells of the list's table. On narrow screens each row is a block, in which the cells have their own places. */
const CELL = "px-2 align-middle first:pl-4 last:pr-4 max-xl:p-0!";

export const COLUMNS = {
  decision: `${CELL} max-xl:col-start-1 max-xl:row-start-1 max-xl:flex max-xl:items-center max-xl:gap-2 max-xl:min-w-0`,
  options: `${CELL} max-xl:col-start-1 max-xl:row-start-2 max-xl:pt-2!`,
  rate: `${CELL} text-right max-xl:col-start-2 max-xl:row-start-2 max-xl:pt-2!`,
  plot: `${CELL} max-xl:col-span-2 max-xl:row-start-3 max-xl:pt-1.5!`,
  failures: `${CELL} text-right max-xl:col-start-1 max-xl:row-start-4 max-xl:pt-0.5! max-xl:text-left`,
  cost: `${CELL} text-right max-xl:col-start-2 max-xl:row-start-4 max-xl:pt-0.5!`,
  shares: `${CELL} max-xl:col-span-2 max-xl:row-start-5 max-xl:pt-2!`,
  decided: `${CELL} text-right tabular-nums max-xl:col-start-2 max-xl:row-start-1 max-xl:text-xs max-xl:text-muted`,
} as const;

export const COLUMN_COUNT = Object.keys(COLUMNS).length;

/** A row of the table; on narrow screens a block of two columns. */
export const ROW =
  "relative border-b border-line/60 max-xl:grid max-xl:grid-cols-[minmax(0,1fr)_auto] max-xl:gap-x-3 max-xl:px-4 max-xl:py-3";
export const ROW_ACTIVE =
  "hover:bg-panel focus-within:bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] focus-within:shadow-[inset_3px_0_var(--color-accent)]";
