export const SHARE_DAYS = 30;
export const MAX_SHARES_PER_WORKSPACE = 100;
