/** What the pills above the tree look for. */
export const QUICK_SEARCHES = ["errors", "critical", "slowest", "costliest"] as const;
export type QuickSearch = (typeof QUICK_SEARCHES)[number];
