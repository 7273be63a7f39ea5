import { OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { Blamer } from "../findings/blamer.ts";
import type { FindingsBody } from "../findings/findings-body.ts";
import { describeCoverage } from "../findings/readings/answer-coverage.ts";
import { listJudgedRuns } from "../findings/readings/list-judged-runs.ts";
import type { CountedRun, CountedRuns } from "../findings/runs/counted-run.ts";
import type { Lens } from "../findings/runs/lens.ts";
import { Numbering } from "../findings/runs/numbering.ts";
import { type ObservedOption, observeRuns, type RecordedRun } from "../findings/runs/observe-runs.ts";
import { prepareRuns } from "../findings/runs/prepare-runs.ts";

/** What was learnt of an agent's runs, to blame any of them. */
export interface LearntRuns {
  counted: CountedRuns;
  /** Those that are good and were completed. */
  good: readonly CountedRun[];
  /** Those of all that somebody judged. */
  answered: ReadonlySet<CountedRun>;
  blamer: Blamer;
  /** What findings of these runs leave out, and who judged them. */
  judged: Pick<FindingsBody, "leftOut" | "answers">;
  /** By the option's number. */
  options: readonly ObservedOption[];
  /** By the index of a run. */
  traceIds: readonly string[];
}

/** An outcome, as it is stored. */
const GOOD = 0;

const BYTES_PER_TRACE_ID = 100;
const BYTES_PER_OPTION = 150;

export function* learnRuns(recorded: readonly RecordedRun[], lens: Lens): Generator<undefined, LearntRuns> {
  const { runs, options, traceIds } = yield* observeRuns(recorded);
  const counted = yield* prepareRuns(runs, lens);
  const byId = new Map(recorded.map((run) => [run.id, run]));
  const recordedOf = (index: number) => byId.get(traceIds[index] ?? "");
  const good = counted.runs.filter(
    ({ isBad }, index) =>
      !isBad && runs[index]?.status === "COMPLETED" && (recordedOf(index)?.outcome ?? GOOD) === GOOD,
  );
  const answered = new Set(
    counted.runs.filter(
      (_, index) => ((recordedOf(index)?.outcomeFlags ?? 0) & OUTCOME_FLAGS.answered) !== 0,
    ),
  );
  const places = new Numbering<number>();
  // What only one way to count silent runs shows is no finding here, either.
  const judged =
    lens === "scored" ? yield* listJudgedRuns({ runs, options, traceIds }, recorded, lens) : undefined;
  const blamer = yield* Blamer.learn(
    counted,
    options.map(({ signature }) => places.of(signature)),
    judged?.coverage ? judged : undefined,
  );
  return {
    counted,
    good,
    answered,
    blamer,
    judged: {
      leftOut: judged?.leftOut ?? { unknown: 0, notAsked: 0 },
      answers: judged?.coverage ? describeCoverage(judged.coverage) : null,
    },
    options,
    traceIds,
  };
}

export const sizeOfLearnt = ({ blamer, options, traceIds }: LearntRuns): number =>
  blamer.byteLength + options.length * BYTES_PER_OPTION + traceIds.length * BYTES_PER_TRACE_ID;
