/**
 * Finds what a type is about in a text, in time proportional to its length. Returns the beginning and the
 * end of each match, one after the other, in any order.
 */
export type FindRanges = (text: string) => readonly number[];

export const NO_RANGES: readonly number[] = [];
