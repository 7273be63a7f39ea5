/** What a page says after `Retry-After: 7`. A busy machine may not see each of the seconds. */
export const COUNTDOWN = /^Try again in [1-7] s\.$/;
