const { WHYTRACE_VOLUME: share = "0.25" } = process.env;
const FACTOR = share === "whole" ? 1 : Number(share);

/** Tests run as many cases as there are, and those that take minutes. */
export const IS_WHOLE = FACTOR >= 1;

/**
 * How many cases a test with random or simulated data tries: a quarter of `whole`, at least `least`. `WHYTRACE_VOLUME=whole` is all
 * of them, and a number is a multiple: `WHYTRACE_VOLUME=10`.
 */
export const volume = (whole: number, least = Math.min(whole, 2)): number =>
  Math.max(least, Math.round(whole * FACTOR));

/** The first of cases that are alike, and every fourth after it; `WHYTRACE_VOLUME=whole` is all of them. */
export const sampleOf = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, index) => index % Math.max(1, Math.round(1 / FACTOR)) === 0);
