/** Of the figures of a day. Increase it if their layout or a definition changes: other days are added up again. */
export const DAY_VERSION = 1;
