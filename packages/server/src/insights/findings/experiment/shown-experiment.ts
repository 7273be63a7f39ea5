import type { Experiment } from "./experiment-difference.ts";

/** What responses say of an experiment. */
export type ShownExperiment = Omit<Experiment, "p">;

export const shownExperiment = ({ p: _p, ...shown }: Experiment): ShownExperiment => shown;
