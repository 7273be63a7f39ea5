import { RE2JS } from "re2js";
import { HARD_TEXT_LENGTH, hardTexts } from "./hard-texts.ts";
import { findIn } from "./own-pattern.ts";
import { threadMs } from "./pattern-budget.ts";

/** What a pattern is compared with: it matches at every word, and the shorter these are, the more there are. */
const USUAL = RE2JS.compile("\\w+");
const USUAL_TEXT = "a ".repeat(HARD_TEXT_LENGTH / 2);
/** In a text that is made for it, a pattern may take this many times what the usual one takes. */
const MAX_TIMES = 16;
/** The machine may do something else meanwhile. */
const ROUNDS = 8;
const USUAL_ROUNDS = 2;
/** The time of a thread may only be known in ticks of 4 or 10 ms. */
const MIN_TIMED_MS = 25;

class SearchEnded extends Error {}

/**
 * Whether a pattern takes much too long in texts that are made to be hard for it, however easy the texts are that are stored so far. It is
 * compared with a usual pattern in the same thread, because a slow machine is slower for both; of each, the shortest time counts.
 */
export function isTooSlowAtWorst(pattern: RE2JS, source: string): boolean {
  let maxMs = Number.POSITIVE_INFINITY;
  const timeUsual = () => {
    maxMs = Math.min(maxMs, MAX_TIMES * usualMs());
  };
  for (let round = 0; round < USUAL_ROUNDS; round += 1) timeUsual();
  return hardTexts(source).some((text) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (timeOf(pattern, text, maxMs) <= maxMs) return false;
      timeUsual();
    }
    return true;
  });
}

function usualMs(): number {
  const startedAt = threadMs();
  for (let searches = 1; ; searches += 1) {
    findIn(USUAL, USUAL_TEXT, { check: () => undefined });
    const ms = threadMs() - startedAt;
    if (ms >= MIN_TIMED_MS) return ms / searches;
  }
}

function timeOf(pattern: RE2JS, text: string, maxMs: number): number {
  const startedAt = threadMs();
  const check = () => {
    if (threadMs() - startedAt > maxMs) throw new SearchEnded();
  };
  try {
    findIn(pattern, text, { check });
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
  }
  return threadMs() - startedAt;
}
