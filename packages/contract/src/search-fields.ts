export const SEARCH_FIELDS = [
  "input",
  "output",
  "metadata",
  "name",
  "statusMessage",
  "reasoning",
  "chosen",
  "alternatives",
  "contextSnapshot",
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];
