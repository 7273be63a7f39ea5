import type { OptionComparison, WhyGroup } from "@whytrace/contract";
import { adjustPValues } from "./adjust-p-values.ts";
import { compareOptions, type PairComparison, type SignatureComparison } from "./compare-options.ts";
import type { WhySignature } from "./why-input.ts";

/** Of the rows in the group "worse", at most this share is expected to be there by chance. */
const MAX_FALSE_DISCOVERIES = 0.05;

export interface WhyComparison {
  signature: number;
  group: WhyGroup;
  /** Null in the groups few and aside. `worst` and `best` are steps. */
  comparison: (Omit<OptionComparison, "worst" | "best"> & { worst: number; best: number }) | null;
}

export interface WhyComparisons {
  /** How many pairs of options were compared, by failures and by cost. */
  comparisons: number;
  /** In the order of the Why list. */
  rows: WhyComparison[];
}

/**
 * The Why list: for each signature the option that is followed by the most failures above its best alternative, or else the one
 * that costs the most above it. All comparisons are tested together.
 */
export function whyComparisons(signatures: readonly WhySignature[]): WhyComparisons {
  const compared = signatures.map((signature) => ({
    signature,
    pairs: signature.isAside ? null : compareOptions(signature),
  }));
  const tests = compared.flatMap(({ pairs }) =>
    pairs === null ? [] : pairs.byCost === null ? [pairs.byFailures] : [pairs.byFailures, pairs.byCost],
  );
  const adjusted = adjustPValues(tests.map(({ p }) => p));
  const q = new Map(tests.map((test, i) => [test, adjusted[i] ?? 1]));
  return {
    comparisons: tests.reduce((sum, { pairs }) => sum + pairs, 0),
    rows: compared
      .map(({ signature, pairs }) => rankedRow(signature, pairs, (pair) => q.get(pair) ?? 1))
      .sort((one, other) => compareRanks(one.rank, other.rank))
      .map(({ row }) => row),
  };
}

/** Rows are in the order of their ranks, compared number by number, the largest first. */
type Rank = [group: number, regret: number];

const GROUP = { worseByFailures: 4, worseByCost: 3, unclear: 2, few: 1, aside: 0 };

function rankedRow(
  { signature, isAside, options }: WhySignature,
  pairs: SignatureComparison | null,
  qOf: (pair: PairComparison) => number,
): { row: WhyComparison; rank: Rank } {
  if (pairs === null) {
    const decisions = options.reduce((sum, { sums }) => sum + sums.decisions, 0);
    const group = isAside ? "aside" : "few";
    return { row: { signature, group, comparison: null }, rank: [GROUP[group], decisions] };
  }
  const { byFailures, byCost } = pairs;
  const isDiscovery = (pair: PairComparison) => qOf(pair) < MAX_FALSE_DISCOVERIES;
  if (byFailures.failures.low > 0 && isDiscovery(byFailures))
    return {
      row: { signature, group: "worse", comparison: comparisonOf(byFailures, qOf(byFailures)) },
      rank: [GROUP.worseByFailures, byFailures.failures.low],
    };
  // An option that costs more but fails less is a trade-off, not worse.
  if (byCost?.costUsd && byCost.costUsd.low > 0 && byCost.failures.high >= 0 && isDiscovery(byCost))
    return {
      row: { signature, group: "worse", comparison: comparisonOf(byCost, qOf(byCost)) },
      rank: [GROUP.worseByCost, byCost.costUsd.low],
    };
  return {
    row: { signature, group: "unclear", comparison: comparisonOf(byFailures, qOf(byFailures)) },
    rank: [GROUP.unclear, byFailures.failures.value],
  };
}

const comparisonOf = ({ p: _, pairs: __, ...comparison }: PairComparison, q: number) => ({
  ...comparison,
  q,
});

const compareRanks = ([group, regret]: Rank, [otherGroup, otherRegret]: Rank) =>
  otherGroup - group || otherRegret - regret;
