import type { OptionStat, Rate } from "@whytrace/contract";
import { FULL_SHARE } from "../findings/readings/answer-coverage.ts";
import { wilsonIntervalBySession } from "../statistics/hypothesis-tests/wilson-interval.ts";
import type { SessionSums } from "../statistics/session-sums.ts";
import { SHARE_UNITS, VOTE_COLUMNS, VOTE_COUNTS } from "./count-columns.ts";
import type { VoteTotals } from "./run-totals.ts";
import type { OptionFigures } from "./signature-figures.ts";
import type { Tally } from "./tally.ts";

/**
 * How often a bad score followed an option, in both readings of runs without one. Readings are null unless somebody, and fewer than nine
 * tenths of the runs, were judged. Runs count as independent here: whole sessions are asked together too rarely.
 */
export function optionReadings(
  { votes }: Tally,
  { rows, sums: all }: OptionFigures,
  totals: VoteTotals,
): Pick<OptionStat, "answered" | "readings"> {
  const sums = new Float64Array(VOTE_COLUMNS);
  for (const choiceRow of rows) {
    const row = votes.keys.find(choiceRow, 0, 0);
    for (let column = 0; row >= 0 && column < VOTE_COLUMNS; column += 1)
      sums[column] = (sums[column] ?? 0) + votes.get(row, column);
  }
  const of = (column: number) => sums[column] ?? 0;
  const answered = of(VOTE_COUNTS.answered);
  if (totals.answered === 0 || totals.answered >= FULL_SHARE * totals.ended)
    return { answered, readings: null };
  const failed = {
    failed: of(VOTE_COUNTS.failed),
    products: of(VOTE_COUNTS.products),
    failedSquares: of(VOTE_COUNTS.failedSquares),
    failedShares: of(VOTE_COUNTS.failedShares) / SHARE_UNITS,
  };
  const rateOf = (runs: number, decisions: number, decisionSquares: number): Rate =>
    toRate({ sessions: runs, decisions, decisionSquares, ...failed }, of(VOTE_COUNTS.failedRuns));
  return {
    answered,
    readings: {
      answered: rateOf(of(VOTE_COUNTS.answeredRuns), answered, of(VOTE_COUNTS.answeredSquares)),
      silenceGood:
        totals.asked > 0
          ? rateOf(of(VOTE_COUNTS.askedRuns), of(VOTE_COUNTS.asked), of(VOTE_COUNTS.askedSquares))
          : rateOf(all.rate.runs, all.decisions + all.unknown, all.endedSquares),
    },
  };
}

function toRate(sums: SessionSums, failedRuns: number): Rate {
  const { low, high } = wilsonIntervalBySession(sums);
  const { decisions, failed, sessions: runs } = sums;
  return { decisions, failed, recovered: 0, runs, failedRuns, recoveredRuns: 0, low, high };
}
