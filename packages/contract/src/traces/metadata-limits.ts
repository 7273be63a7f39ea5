/* Which values of a trace's metadata can be found: the first ones of the top level, with short keys and values. */

export const MAX_METADATA_PAIRS = 32;
export const MAX_METADATA_KEY_LENGTH = 100;
export const MAX_METADATA_VALUE_LENGTH = 200;
