import { type ListedRuns, listRuns } from "../list/list-runs.ts";
import type { Lens } from "../runs/lens.ts";
import type { ObservedRuns, RecordedRun } from "../runs/observe-runs.ts";
import { type AnswerCoverage, answerCoverage, isAnsweredBy } from "./answer-coverage.ts";
import { type BasedFinding, listByReadings, type RefusedOption } from "./list-by-readings.ts";

/** An outcome, as it is stored. */
const UNKNOWN = 2;

interface ListedJudgedRuns extends ListedRuns {
  findings: readonly BasedFinding[];
  refused: readonly RefusedOption[];
  leftOut: { unknown: number; notAsked: number };
  /** Null if all that makes runs bad is known of every run. */
  coverage: AnswerCoverage | null;
  /** By the index of an observed run: whether one of those judged it who judge only some. */
  isAnswered: readonly boolean[];
}

/**
 * Lists what explains bad runs. Whether a run failed, or an error came, is known of every run. Scores are not: unless nearly all runs were
 * judged, silent ones are counted in two readings.
 */
export function* listJudgedRuns(
  observed: ObservedRuns,
  recorded: readonly RecordedRun[],
  lens: Lens,
): Generator<undefined, ListedJudgedRuns> {
  const { runs } = observed;
  if (lens !== "scored") return ofObserved(yield* listRuns(runs, lens), 0);
  const byId = new Map(recorded.map((run) => [run.id, run]));
  const judged = runs.map((run, index) => {
    const answers: Partial<RecordedRun> = byId.get(observed.traceIds[index] ?? "") ?? {};
    return { run, answers };
  });
  const ended = judged.filter(({ run }) => run.status !== "RUNNING");
  const coverage = answerCoverage(ended.map(({ answers }) => answers));
  if (coverage.partly.length === 0) {
    const known = judged.filter(({ answers }) => answers.outcome !== UNKNOWN).map(({ run }) => run);
    return ofObserved(yield* listRuns(known, lens), runs.length - known.length);
  }
  const { notAsked, ...listed } = yield* listByReadings(ended, coverage);
  return {
    ...listed,
    leftOut: { unknown: 0, notAsked },
    coverage,
    isAnswered: judged.map(({ answers }) => isAnsweredBy(answers, coverage.partly)),
  };
}

const ofObserved = (listed: ListedRuns, unknown: number): ListedJudgedRuns => ({
  ...listed,
  findings: listed.findings.map((finding) => ({ ...finding, basis: "observed", readings: null })),
  refused: [],
  leftOut: { unknown, notAsked: 0 },
  coverage: null,
  isAnswered: [],
});
