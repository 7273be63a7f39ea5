import { holm } from "../../statistics/hypothesis-tests/holm.ts";
import type { Finding, FindingsList } from "../list/finding.ts";
import type { OptionTest } from "../list/option-test.ts";

/** One-sided, so that the interval of a named option does not contain 0. */
const LEVEL = 0.025;

/**
 * Where options were drawn at random, the draws decide. An option after which runs are bad more often is named, whatever else was
 * observed. One that was named by observation is cleared if the interval says that it does less harm than it seemed to. If the
 * draws are too few to tell, it is undecided.
 */
export function decideByExperiment(
  list: FindingsList,
  choices: readonly OptionTest[],
  explains: (test: OptionTest) => number,
): FindingsList {
  const { experiments } = list;
  if (experiments.size === 0) return list;
  // Of two options, one is worse by as much as the other is better: that is one question.
  const open = [...experiments].filter(([, { difference }]) => difference > 0);
  const adjusted = holm(open.map(([, { p }]) => p));
  const adjustedOf = new Map(open.map(([option], index) => [option, adjusted[index] ?? 1]));
  const isHarmful = (option: number) => (adjustedOf.get(option) ?? 1) < LEVEL;
  const cleared = new Set<number>();
  for (const { option, rate, otherRate } of choices)
    if (!isHarmful(option) && (experiments.get(option)?.high ?? 1) < rate - otherRate) cleared.add(option);
  const harmful = choices
    .filter(({ option }) => isHarmful(option))
    .map(
      (test): Finding => ({
        ...test,
        group: "worse",
        adjusted: adjustedOf.get(test.option) ?? 1,
        explains: explains(test),
      }),
    );
  const left = list.findings.flatMap((finding): Finding[] => {
    const { kind, option } = finding;
    if (kind === "left out" || !experiments.has(option)) return [finding];
    return isHarmful(option) || cleared.has(option) ? [] : [{ ...finding, group: "undecided" }];
  });
  const isWorse = ({ group }: Finding) => group === "worse";
  return {
    ...list,
    cleared,
    findings: [
      ...[...harmful, ...left.filter(isWorse)].sort((one, other) => other.explains - one.explains),
      ...left.filter((finding) => !isWorse(finding)),
    ],
  };
}
