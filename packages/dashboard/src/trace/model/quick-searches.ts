/** The predefined searches offered above the tree; values of the URL parameter `find`. */
export const QUICK_SEARCHES = ["errors", "bad", "blame", "critical", "slowest", "costliest"] as const;
export type QuickSearch = (typeof QUICK_SEARCHES)[number];
