import { Blamer } from "../findings/blamer.ts";
import type { CountedRun, CountedRuns } from "../findings/runs/counted-run.ts";
import type { Lens } from "../findings/runs/lens.ts";
import { Numbering } from "../findings/runs/numbering.ts";
import { type ObservedOption, observeRuns, type RecordedRun } from "../findings/runs/observe-runs.ts";
import { prepareRuns } from "../findings/runs/prepare-runs.ts";

/** What was learnt of an agent's runs, to blame any of them. */
export interface LearntRuns {
  counted: CountedRuns;
  /** Those that are not bad and were completed. */
  good: readonly CountedRun[];
  blamer: Blamer;
  /** By the option's number. */
  options: readonly ObservedOption[];
  /** By the index of a run. */
  traceIds: readonly string[];
}

const BYTES_PER_TRACE_ID = 100;
const BYTES_PER_OPTION = 150;

export function* learnRuns(recorded: readonly RecordedRun[], lens: Lens): Generator<undefined, LearntRuns> {
  const { runs, options, traceIds } = yield* observeRuns(recorded);
  const counted = yield* prepareRuns(runs, lens);
  const good = counted.runs.filter(({ isBad }, index) => !isBad && runs[index]?.status === "COMPLETED");
  const places = new Numbering<number>();
  const blamer = yield* Blamer.learn(
    counted,
    options.map(({ signature }) => places.of(signature)),
  );
  return { counted, good, blamer, options, traceIds };
}

export const sizeOfLearnt = ({ blamer, options, traceIds }: LearntRuns): number =>
  blamer.byteLength + options.length * BYTES_PER_OPTION + traceIds.length * BYTES_PER_TRACE_ID;
