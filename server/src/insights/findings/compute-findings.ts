import { BODY_VERSION, type FindingRow, type FindingsBody, type ListedSince } from "./findings-body.ts";
import { explainedTogether } from "./fit/explained-together.ts";
import { type Fit, fitCauses } from "./fit/fit-causes.ts";
import { type Finding, listFindings } from "./list/list-findings.ts";
import type { OptionTest } from "./list/option-test.ts";
import type { RecordedRuns } from "./read-recorded-runs.ts";
import type { Lens } from "./runs/lens.ts";
import { type ObservedOption, type ObservedRuns, observeRuns } from "./runs/observe-runs.ts";
import { prepareRuns } from "./runs/prepare-runs.ts";
import { watchFindings } from "./watch-findings.ts";

/** More options that stand apart tell nothing new. */
const MAX_APART = 20;

/** A list that is looked at again and again: what it listed before, and the day of this look. */
export interface Watch {
  listed: readonly ListedSince[];
  day: string;
}

export interface ComputedFindings {
  body: FindingsBody;
  since: readonly ListedSince[];
}

/** The findings of an agent's runs. Without a watch, everything is listed that holds now. */
export function* computeFindings(
  recorded: RecordedRuns,
  lens: Lens,
  watch?: Watch,
): Generator<undefined, ComputedFindings> {
  const observed = yield* observeRuns(recorded.runs);
  const counted = yield* prepareRuns(observed.runs, lens);
  const fit = yield* fitCauses(counted);
  const { findings, apart, tests } = yield* listFindings(counted, fit);
  const listed = watch ? stillListed(findings, observed, watch) : { findings, since: [] };
  const compared = apart.filter(isChosenAmongOthers(observed)).slice(0, MAX_APART);
  const { explained, rows } = describeRows(listed.findings, compared, {
    fit,
    observed,
    hasSituation: recorded.hasSituation,
  });
  return {
    body: {
      version: BODY_VERSION,
      runs: recorded.runCount,
      openRuns: recorded.openRuns,
      countedRuns: counted.runs.length,
      badRuns: fit.bad,
      abandonedRuns: observed.runs.filter(({ status }) => status === "RUNNING").length,
      clusters: new Set(counted.runs.map(({ cluster }) => cluster)).size,
      chance: Math.max(0, fit.bad - explained),
      smallest: smallestAdjusted(tests),
      hasSituation: recorded.hasSituation,
      rows,
    },
    since: listed.since,
  };
}

/** What is always chosen in its place has nothing that it could be compared with. */
function isChosenAmongOthers({ options }: ObservedRuns) {
  const places = Map.groupBy(options, ({ signature }) => signature);
  return ({ option }: OptionTest) => (places.get(options[option]?.signature ?? -1)?.length ?? 0) > 1;
}

/** By Holm, as findings are adjusted. */
function smallestAdjusted(tests: readonly OptionTest[]): number {
  const open = tests.filter(({ p }) => p < 1);
  return Math.min(1, open.length * open.reduce((smallest, { p }) => Math.min(smallest, p), 1));
}

/** What a watched list still holds, and what enters it. Each group has its own level to enter. */
function stillListed(findings: readonly Finding[], { options }: ObservedRuns, { listed, day }: Watch) {
  const still: { finding: Finding; since: ListedSince }[] = [];
  for (const group of ["worse", "undecided"] as const) {
    const before = listed
      .filter((one) => one.group === group)
      .map(({ kind, step, since }) => ({ finding: { kind, option: step, adjusted: 0 }, since }));
    // Options have other numbers at each look; their steps stay.
    const found = findings.flatMap((finding) => {
      const step = options[finding.option]?.step;
      if (finding.group !== group || step === undefined) return [];
      return [{ kind: finding.kind, option: step, adjusted: finding.adjusted, finding }];
    });
    for (const { finding: one, since } of watchFindings(before, found, day))
      still.push({ finding: one.finding, since: { kind: one.kind, group, step: one.option, since } });
  }
  return { findings: still.map(({ finding }) => finding), since: still.map(({ since }) => since) };
}

interface RowContext {
  fit: Fit;
  observed: ObservedRuns;
  hasSituation: boolean;
}

function describeRows(
  findings: readonly Finding[],
  apart: readonly OptionTest[],
  { fit, observed: { options }, hasSituation }: RowContext,
): { explained: number; rows: FindingRow[] } {
  const { explained, pairs } = explainedTogether(
    fit,
    findings.filter(({ group }) => group === "worse"),
  );
  const rowOf = (test: OptionTest, group: FindingRow["group"], option: ObservedOption): FindingRow => {
    const isFirst = test.kind === "chose" && option.firstDecisions > option.decisions / 2;
    return {
      kind: test.kind,
      group,
      signature: option.signature,
      step: option.step,
      type: option.type,
      isObserved: option.isObserved,
      isAdjusted: hasSituation || !isFirst,
      decisions: test.lines,
      comparable: test.exposed,
      clusters: test.clusters,
      togetherWith: [],
    };
  };
  const rows: FindingRow[] = [];
  for (const finding of findings) {
    const { group, explains, ratio, rate, otherRate, adjusted } = finding;
    const option = options[finding.option];
    if (!option) continue;
    const partners = pairs.flatMap(([one, other]) =>
      one === finding.option ? [other] : other === finding.option ? [one] : [],
    );
    const isPaired = group === "worse" && finding.kind === "chose";
    rows.push({
      ...rowOf(finding, group, option),
      figures: { explains, ratio, rate, otherRate, adjusted },
      togetherWith: isPaired ? [...new Set(partners)].flatMap((one) => options[one]?.step ?? []) : [],
    });
  }
  for (const test of apart) {
    const option = options[test.option];
    if (option) rows.push(rowOf(test, "apart", option));
  }
  return { explained, rows };
}
