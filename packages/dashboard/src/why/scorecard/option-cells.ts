const CELL = "px-2 align-middle first:pl-3 last:pr-3 max-xl:p-0!";

/** The cells of the table of options, and their places where each option is a block. */
export const CELLS = {
  option: `${CELL} max-xl:col-start-1`,
  offered: `${CELL} text-right tabular-nums max-xl:hidden`,
  chosen: `${CELL} max-xl:col-start-2 max-xl:row-start-1 max-xl:text-right`,
  plot: `${CELL} max-xl:col-span-2`,
  rate: `${CELL} max-xl:col-span-2`,
  cost: `${CELL} max-xl:col-span-2`,
  time: `${CELL} max-xl:col-span-2`,
  verdicts: `${CELL} text-right max-xl:col-span-2 max-xl:text-left`,
} as const;

export const OPTION_ROW =
  "relative border-t border-line/60 max-xl:grid max-xl:grid-cols-[minmax(0,1fr)_auto] max-xl:gap-x-3 max-xl:gap-y-0.5 max-xl:px-4 max-xl:py-3";
