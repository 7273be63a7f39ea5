/** What the values are values of: each is a filter of traces or decisions. */
export const FILTER_FIELDS = ["agent", "model", "tag", "session", "metadata", "choice"] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

export const MAX_FILTER_VALUES = 50;
