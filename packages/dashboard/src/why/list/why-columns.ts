/** The cells of the list's table. On narrow screens each row is a block, in which the cells have their own places. */
const CELL = "px-2 align-middle first:pl-4 last:pr-4 max-lg:p-0!";

export const COLUMNS = {
  decision: `${CELL} max-lg:col-start-1 max-lg:row-start-1 max-lg:flex max-lg:items-center max-lg:gap-2 max-lg:min-w-0`,
  options: `${CELL} max-lg:col-start-1 max-lg:row-start-2 max-lg:pt-2!`,
  rate: `${CELL} text-right max-lg:col-start-2 max-lg:row-start-2 max-lg:pt-2!`,
  shares: `${CELL} lg:max-xl:hidden max-lg:col-span-2 max-lg:row-start-3 max-lg:pt-2!`,
  decided: `${CELL} text-right tabular-nums max-lg:col-start-2 max-lg:row-start-1 max-lg:text-xs max-lg:text-muted`,
} as const;

export const COLUMN_COUNT = Object.keys(COLUMNS).length;

/** A row of the table; on narrow screens a block of two columns. */
export const ROW =
  "relative border-b border-line/60 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:px-4 max-lg:py-3";
export const ROW_ACTIVE =
  "hover:bg-panel focus-within:bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] focus-within:shadow-[inset_3px_0_var(--color-accent)]";
