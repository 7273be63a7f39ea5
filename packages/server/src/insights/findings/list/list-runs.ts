import { type Fit, fitCauses } from "../fit/fit-causes.ts";
import type { CountedRuns } from "../runs/counted-run.ts";
import type { Lens } from "../runs/lens.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import type { FindingsList } from "./finding.ts";
import { listFindings } from "./list-findings.ts";

/** What findings say of some runs, and what they were found in. */
export interface ListedRuns extends FindingsList {
  counted: CountedRuns;
  fit: Fit;
}

/** Counts runs, which are in the order of time, and lists what explains the bad ones. */
export function* listRuns(runs: readonly ObservedRun[], lens: Lens): Generator<undefined, ListedRuns> {
  const counted = yield* prepareRuns(runs, lens);
  const fit = yield* fitCauses(counted);
  return { counted, fit, ...(yield* listFindings(counted, fit)) };
}
