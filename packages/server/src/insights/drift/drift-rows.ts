import type { DecisionPointType, UntestedReason } from "@whytrace/contract";
import { driftTest } from "../statistics/drift-test.ts";
import { adjustPValues } from "../statistics/hypothesis-tests/adjust-p-values.ts";
import type { OptionChoices, SideFigures } from "./side-figures.ts";

/** A change is reported if it is unlikely to be chance, and large enough to matter. */
const MAX_P = 0.01;
const MIN_DISTANCE = 0.05;

/** One agent and signature on both sides. */
export interface ComparedShares {
  agent: number;
  signature: number;
  type: DecisionPointType;
  /** The most frequent one first. */
  options: { step: number; base: number; current: number }[];
  distance: number;
  p: number | null;
  untested: UntestedReason | null;
  isDrifting: boolean;
}

/** Compares the shares of options on both sides. Pauses after each test. Those that drift come first, then by p. */
export function* driftRows(
  base: ReadonlyMap<string, SideFigures>,
  current: ReadonlyMap<string, SideFigures>,
): Generator<undefined, ComparedShares[]> {
  const rows: ComparedShares[] = [];
  for (const key of new Set([...current.keys(), ...base.keys()])) {
    const [before, after] = [base.get(key), current.get(key)];
    const either = after ?? before;
    if (!either) continue;
    const { agent, signature, type } = either;
    const steps = [...new Set([...(after?.options.keys() ?? []), ...(before?.options.keys() ?? [])])];
    const countsOf = (side: SideFigures | undefined) => ({
      options: steps.map((step) => side?.options.get(step) ?? NONE),
    });
    const [baseCounts, currentCounts] = [countsOf(before), countsOf(after)];
    const options = steps.map((step, i) => ({
      step,
      base: baseCounts.options[i]?.chosen ?? 0,
      current: currentCounts.options[i]?.chosen ?? 0,
    }));
    options.sort((one, other) => totalOf(other) - totalOf(one) || one.step - other.step);
    const isChoice = hasAlternatives([...baseCounts.options, ...currentCounts.options], options);
    const result = isChoice || !before || !after ? driftTest(baseCounts, currentCounts) : ONE_OPTION;
    rows.push({ agent, signature, type, options, ...result, isDrifting: false });
    yield;
  }
  return adjust(rows);
}

const NONE = { chosen: 0, squares: 0, products: 0, offered: 0 };
const ONE_OPTION = { p: null, untested: "one-option", distance: 0 } as const;

/** Whether anything else was chosen, or is known to have been possible. Without it, nothing shows that there was a choice. */
const hasAlternatives = (
  counts: readonly Pick<OptionChoices, "offered">[],
  options: ComparedShares["options"],
) => counts.some(({ offered }) => offered > 0) || options.filter((option) => totalOf(option) > 0).length > 1;
const totalOf = ({ base, current }: { base: number; current: number }) => base + current;

function adjust(rows: ComparedShares[]): ComparedShares[] {
  const tested = rows.filter(({ p }) => p !== null);
  const adjusted = adjustPValues(tested.map(({ p }) => p ?? 1));
  for (const [i, row] of tested.entries()) {
    row.p = adjusted[i] ?? 1;
    row.isDrifting = row.p < MAX_P && row.distance >= MIN_DISTANCE;
  }
  const decisions = ({ options }: ComparedShares) =>
    options.reduce((sum, option) => sum + totalOf(option), 0);
  return rows.sort(
    (one, other) =>
      Number(other.isDrifting) - Number(one.isDrifting) ||
      (one.p ?? 2) - (other.p ?? 2) ||
      decisions(other) - decisions(one) ||
      one.signature - other.signature,
  );
}
