export const SHARE_DAYS = 30;
export const MAX_SHARES_PER_WORKSPACE = 100;
/** A link with Why shows the first so many suspects. */
export const MAX_SHARED_SUSPECTS = 3;
