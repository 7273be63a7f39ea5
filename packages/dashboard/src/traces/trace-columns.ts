/** The columns of the list that can be hidden, and whether they are shown at first. */
const IS_SHOWN_AT_FIRST = {
  Error: false,
  Input: false,
  Output: false,
  Tags: true,
  Model: true,
  Steps: true,
  Duration: true,
  Cost: true,
  Tokens: true,
  Started: true,
} as const;

export type TraceColumn = keyof typeof IS_SHOWN_AT_FIRST;

const isColumn = (name: string): name is TraceColumn => Object.hasOwn(IS_SHOWN_AT_FIRST, name);

export const TRACE_COLUMNS = Object.keys(IS_SHOWN_AT_FIRST).filter(isColumn);
export const DEFAULT_COLUMNS = TRACE_COLUMNS.filter((column) => IS_SHOWN_AT_FIRST[column]);
