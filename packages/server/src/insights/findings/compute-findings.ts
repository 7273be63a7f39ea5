import { shownExperiment } from "./experiment/shown-experiment.ts";
import { BODY_VERSION, type FindingRow, type FindingsBody, type ListedSince } from "./findings-body.ts";
import { explainedTogether } from "./fit/explained-together.ts";
import type { Fit } from "./fit/fit-causes.ts";
import type { FindingsList } from "./list/finding.ts";
import { type DearOption, listCosts } from "./list/list-costs.ts";
import type { OptionTest } from "./list/option-test.ts";
import type { RecordedRuns } from "./read-recorded-runs.ts";
import { describeCoverage } from "./readings/answer-coverage.ts";
import { type AnsweredShare, answeredShares } from "./readings/answered-shares.ts";
import type { BasedFinding, RefusedOption } from "./readings/list-by-readings.ts";
import { listJudgedRuns } from "./readings/list-judged-runs.ts";
import { isBadIn } from "./runs/find-ending.ts";
import type { Lens } from "./runs/lens.ts";
import {
  type ObservedOption,
  type ObservedRuns,
  observeRuns,
  type RecordedRun,
} from "./runs/observe-runs.ts";
import { watchFindings } from "./watch-findings.ts";

/** More options that stand apart tell nothing new. */
const MAX_APART = 20;

/** Those that cost the most. */
const MAX_DEARER = 5;

/** A list that is looked at again and again: what it listed before, and the day of this look. */
interface Watch {
  listed: readonly ListedSince[];
  day: string;
}

export interface ComputedFindings {
  body: FindingsBody;
  since: readonly ListedSince[];
}

/** The findings of an agent's runs. Without a watch, everything is listed that holds now. */
export function* computeFindings(
  recorded: RecordedRuns & { runCount: number },
  lens: Lens,
  watch?: Watch,
): Generator<undefined, ComputedFindings> {
  const observed = yield* observeRuns(recorded.runs);
  const judged = yield* listJudgedRuns(observed, recorded.runs, lens);
  const { counted, fit, findings, apart, refused, coverage } = judged;
  // What turns cost does not depend on which runs are bad, so one lens has it.
  const costs = lens === "failed" ? yield* listCosts(counted) : { dearer: [], smallest: 1 };
  const dearer = costs.dearer.slice(0, MAX_DEARER).map((one): DearFinding => {
    return { ...one, kind: CHOSE, group: DEARER };
  });
  const found: Listed[] = [...findings, ...dearer];
  const isTruncated = recorded.runs.length + recorded.openRuns < recorded.runCount;
  const listed = watch ? stillListed(found, observed, watch) : { findings: found, since: [] };
  const compared = apart.filter(isChosenAmongOthers(observed)).slice(0, MAX_APART);
  const { explained, rows } = describeRows(listed.findings, refused, compared, {
    fit,
    observed,
    experiments: judged.experiments,
    hasSituation: recorded.hasSituation,
    answered: coverage ? answeredShares(observed, judged.isAnswered) : [],
  });
  return {
    body: {
      version: BODY_VERSION,
      runs: recorded.runCount,
      openRuns: recorded.openRuns,
      countedRuns: counted.runs.length,
      isTruncated,
      countedFrom: isTruncated ? oldestStart(recorded.runs) : null,
      standsFor: sumOfWeights(counted.runs),
      badRuns: fit.bad,
      badIn: badIn(observed),
      abandonedRuns: sumOfWeights(observed.runs.filter(({ status }) => status === "RUNNING")),
      clusters: new Set(counted.runs.map(({ cluster }) => cluster)).size,
      chance: Math.max(0, fit.bad - explained),
      smallest: smallestAdjusted(judged),
      smallestOfCosts: costs.smallest,
      hasSituation: recorded.hasSituation,
      hasUnknownSampling: recorded.hasUnknownSampling,
      leftOut: judged.leftOut,
      answers: coverage && describeCoverage(coverage),
      rows,
    },
    since: listed.since,
  };
}

const CHOSE = "chose";
const DEARER = "dearer";
/** A choice after which turns cost more, beside the findings. */
type DearFinding = DearOption & { kind: typeof CHOSE; group: typeof DEARER };
type Listed = BasedFinding | DearFinding;

/** Runs come in the order of time. */
const oldestStart = ([oldest]: readonly RecordedRun[]): string | null =>
  oldest ? new Date(oldest.startedAtMs).toISOString() : null;

const sumOfWeights = (runs: readonly { weight: number }[]) =>
  runs.reduce((sum, { weight }) => sum + weight, 0);

const badIn = ({ runs }: ObservedRuns): FindingsBody["badIn"] => {
  const count = (lens: Lens) => sumOfWeights(runs.filter((run) => isBadIn(lens, run)));
  return { failed: count("failed"), error: count("error"), scored: count("scored") };
};

/** What is always chosen in its place has nothing that it could be compared with. */
function isChosenAmongOthers({ options }: ObservedRuns) {
  const places = Map.groupBy(options, ({ signature }) => signature);
  return ({ option }: OptionTest) => (places.get(options[option]?.signature ?? -1)?.length ?? 0) > 1;
}

/** By Holm, as findings are adjusted: of what was observed, and of what was drawn. */
function smallestAdjusted({ tests, experiments }: FindingsList): number {
  const open = tests.filter(({ p }) => p < 1);
  const smallestOf = (tested: readonly { p: number }[]) =>
    tested.length * tested.reduce((smallest, { p }) => Math.min(smallest, p), 1);
  const drawn = [...experiments.values()].filter(({ difference }) => difference > 0);
  return Math.min(1, smallestOf(open), drawn.length === 0 ? 1 : smallestOf(drawn));
}

/** What a watched list still holds, and what enters it. Each group has its own level to enter. */
function stillListed(findings: readonly Listed[], { options }: ObservedRuns, { listed, day }: Watch) {
  const still: { finding: Listed; since: ListedSince }[] = [];
  for (const group of ["worse", "undecided", DEARER] as const) {
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
  experiments: FindingsList["experiments"];
  observed: ObservedRuns;
  hasSituation: boolean;
  /** By option. */
  answered: readonly AnsweredShare[];
}

/** More options that are not listed tell nothing new. */
const MAX_REFUSED = 20;
const NOT_BASED = { basis: null, refusal: null, holdsIn: null, readings: null } as const;

type ComparedOption = Pick<OptionTest, "kind" | "option" | "lines" | "exposed" | "clusters">;

function describeRows(
  findings: readonly Listed[],
  refused: readonly RefusedOption[],
  apart: readonly OptionTest[],
  { fit, observed: { options }, experiments, hasSituation, answered }: RowContext,
): { explained: number; rows: FindingRow[] } {
  const { explained, pairs } = explainedTogether(
    fit,
    findings.filter((finding) => finding.group === "worse"),
  );
  const rowOf = (test: ComparedOption, group: FindingRow["group"], option: ObservedOption): FindingRow => {
    const isFirst = test.kind === "chose" && option.firstDecisions > option.decisions / 2;
    return {
      kind: test.kind,
      group,
      ...NOT_BASED,
      answered: answered[test.option] ?? null,
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
    if (finding.group === DEARER) {
      const { rate, otherRate, excess, adjusted } = finding;
      const option = options[finding.option];
      const cost = { usd: rate, otherUsd: otherRate, excessUsd: excess, adjusted };
      if (option) rows.push({ ...rowOf(finding, DEARER, option), cost });
      continue;
    }
    const { kind, group, basis, readings, explains, ratio, rate, otherRate, adjusted } = finding;
    const option = options[finding.option];
    if (!option) continue;
    const partners = pairs.flatMap(([one, other]) =>
      one === finding.option ? [other] : other === finding.option ? [one] : [],
    );
    const isPaired = group === "worse" && kind === "chose";
    const experiment = kind === "chose" ? experiments.get(finding.option) : undefined;
    rows.push({
      ...rowOf(finding, group, option),
      basis,
      readings,
      figures: { explains, ratio, rate, otherRate, adjusted },
      ...(experiment && { experiment: shownExperiment(experiment) }),
      togetherWith: isPaired ? [...new Set(partners)].flatMap((one) => options[one]?.step ?? []) : [],
    });
  }
  for (const test of refused.slice(0, MAX_REFUSED)) {
    const { refusal, holdsIn, readings } = test;
    const option = options[test.option];
    if (option) rows.push({ ...rowOf(test, "unclear", option), refusal, holdsIn, readings });
  }
  for (const test of apart) {
    const option = options[test.option];
    if (option) rows.push(rowOf(test, "apart", option));
  }
  return { explained, rows };
}
