import { SCORE_SOURCES, type ScoreSource } from "@whytrace/contract/schemas/scores";
import { OUTCOME_FLAGS, SOURCE_FLAGS } from "../../../outcomes/judge-run.ts";

/** A source that judged fewer of an agent's runs judges only some: who is judged may depend on what was chosen. */
export const FULL_SHARE = 0.9;
/** So many answers of which so many say bad are complaints: those who are content do not answer. */
const MIN_ONE_SIDED = 20;
const ONE_SIDED_SHARE = 0.95;

/** An ended run, as far as it is known who judged it. */
export interface AnsweredRun {
  /** Of `OUTCOME_FLAGS` and `SOURCE_FLAGS`. */
  outcomeFlags?: number;
  /** Whether a score made it bad. */
  isScoredBad?: boolean;
}

/** Two sources that judged the same runs, and how many of these they judged differently. */
interface Contradiction {
  sources: readonly [ScoreSource, ScoreSource];
  runs: number;
  differ: number;
}

/** Who judges the runs of an agent. */
export interface AnswerCoverage {
  runs: number;
  /** Sources that judge all runs, or nearly all. */
  full: readonly ScoreSource[];
  /** Sources that judge some. */
  partly: readonly ScoreSource[];
  /** Runs that one of `partly` judged, and those of them that it made bad. */
  answered: number;
  bad: number;
  /** Hardly anybody of `partly` says good. */
  isOneSided: boolean;
  /** Whether runs record that users were asked, and users are one of `partly`. */
  hasAsks: boolean;
  contradictions: readonly Contradiction[];
}

/** What a reader has to know of who judges the runs. */
export const describeCoverage = ({
  runs,
  partly,
  answered,
  bad,
  isOneSided,
  contradictions,
}: AnswerCoverage) => ({ runs, sources: partly, answered, bad, isOneSided, contradictions });

export function answerCoverage(runs: readonly AnsweredRun[]): AnswerCoverage {
  const answeredBy = (source: ScoreSource) => runs.filter((run) => isAnsweredBy(run, [source])).length;
  const counts = SCORE_SOURCES.map((source) => ({ source, count: answeredBy(source) }));
  const isFull = (count: number) => count >= FULL_SHARE * runs.length;
  const sourcesOf = (isWanted: (count: number) => boolean) =>
    counts.flatMap(({ source, count }) => (count > 0 && isWanted(count) ? source : []));
  const partly = sourcesOf((count) => !isFull(count));
  const answered = runs.filter((run) => isAnsweredBy(run, partly));
  const bad = answered.filter((run) => isBadBy(run, partly)).length;
  return {
    runs: runs.length,
    full: sourcesOf(isFull),
    partly,
    answered: answered.length,
    bad,
    isOneSided: answered.length >= MIN_ONE_SIDED && bad >= ONE_SIDED_SHARE * answered.length,
    hasAsks: partly.includes("user") && runs.some(isAsked),
    contradictions: contradictionsOf(runs),
  };
}

export const isAnsweredBy = (run: AnsweredRun, sources: readonly ScoreSource[]): boolean =>
  sources.some((source) => (sourceFlagsOf(run) & SOURCE_FLAGS[source].answered) !== 0);

/** Whether the run is bad, and one of the sources said so. */
export const isBadBy = (run: AnsweredRun, sources: readonly ScoreSource[]): boolean =>
  run.isScoredBad === true && sources.some((source) => saysBad(run, source));

export const isAsked = ({ outcomeFlags = 0 }: AnsweredRun): boolean =>
  (outcomeFlags & OUTCOME_FLAGS.asked) !== 0;

const saysBad = (run: AnsweredRun, source: ScoreSource) =>
  (sourceFlagsOf(run) & SOURCE_FLAGS[source].bad) !== 0;

const ANY_SOURCE = Object.values(SOURCE_FLAGS).reduce((all, { answered }) => all | answered, 0);

/** Without flags of sources, as in runs that were judged before there were any, answers count as those of users. */
function sourceFlagsOf({ outcomeFlags = 0, isScoredBad = false }: AnsweredRun): number {
  const isOld = (outcomeFlags & OUTCOME_FLAGS.answered) !== 0 && (outcomeFlags & ANY_SOURCE) === 0;
  if (!isOld) return outcomeFlags;
  return outcomeFlags | SOURCE_FLAGS.user.answered | (isScoredBad ? SOURCE_FLAGS.user.bad : 0);
}

function contradictionsOf(runs: readonly AnsweredRun[]): Contradiction[] {
  const pairs = SCORE_SOURCES.flatMap((one, index) =>
    SCORE_SOURCES.slice(index + 1).map((other): readonly [ScoreSource, ScoreSource] => [one, other]),
  );
  return pairs.flatMap((sources) => {
    const [one, other] = sources;
    const both = runs.filter((run) => isAnsweredBy(run, [one]) && isAnsweredBy(run, [other]));
    const differ = both.filter((run) => saysBad(run, one) !== saysBad(run, other)).length;
    return differ === 0 ? [] : [{ sources, runs: both.length, differ }];
  });
}
