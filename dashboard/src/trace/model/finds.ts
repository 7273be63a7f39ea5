/** What the pills above the tree look for. */
export const FINDS = ["errors", "critical", "slowest", "costliest"] as const;
export type Find = (typeof FINDS)[number];
