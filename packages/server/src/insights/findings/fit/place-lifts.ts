import { Pauses } from "../pauses.ts";
import type { CountedRun } from "../runs/counted-run.ts";

/*
 * Chosen on 200 simulated agents; lab/trials/blame.ts measures them on others.
 */
/** The agent's average counts as so many runs of the alternatives. */
const PRIOR_RUNS = 20;
/** A lift counts only in as far as there are more bad runs than these. */
const PRIOR_BAD = 2;
/** The lift over all bad runs counts as so many bad runs of the kind, so that it decides while this very kind is rare. */
const PRIOR_OF_KIND = 1.5;

interface PlaceCounts {
  byOption: Float64Array;
  byPlace: Float64Array;
  total: number;
}

/**
 * How much likelier a run goes wrong after a choice than after its alternatives in the same place. With few runs, this orders
 * suspects better than the fit, which finds that chance explains nearly all. Whatever comes before a culprit has its lift, so it
 * is no ground for a claim.
 */
export class PlaceLifts {
  readonly #runs: readonly CountedRun[];
  /** The place of each option. */
  readonly #places: readonly number[];
  readonly #all: PlaceCounts;
  readonly #bad: PlaceCounts;

  private constructor(
    runs: readonly CountedRun[],
    places: readonly number[],
    all: PlaceCounts,
    bad: PlaceCounts,
  ) {
    this.#runs = runs;
    this.#places = places;
    this.#all = all;
    this.#bad = bad;
  }

  static *learn(runs: readonly CountedRun[], places: readonly number[]): Generator<undefined, PlaceLifts> {
    const all = yield* countChoices(runs, places);
    const bad = yield* countChoices(
      runs.filter(({ isBad }) => isBad),
      places,
    );
    return new PlaceLifts(runs, places, all, bad);
  }

  /** By option: the share of runs of a kind, gone wrong after this choice, that would not have after another: 1 - 1/risk. */
  *fractions(kind: number): Generator<undefined, Float64Array> {
    const [all, bad] = [this.#all, this.#bad];
    const alike = this.#runs.filter((run) => run.isBad && run.kind === kind);
    const ofKind = yield* countChoices(alike, this.#places);
    const badRate = (bad.total + 0.5) / (all.total + 1);
    const kindRate = (ofKind.total + 0.5) / (all.total + 1);
    return ofKind.byOption.map((own, option) => {
      const place = this.#places[option] ?? 0;
      const chosen = all.byOption[option] ?? 0;
      const chosenBad = bad.byOption[option] ?? 0;
      const others = (all.byPlace[place] ?? 0) - chosen + PRIOR_RUNS;
      const othersBad = (bad.byPlace[place] ?? 0) - chosenBad + PRIOR_RUNS * badRate;
      const othersOfKind = (ofKind.byPlace[place] ?? 0) - own + PRIOR_RUNS * kindRate;
      const lift = (chosenBad + PRIOR_BAD) / ((chosen * othersBad) / others + PRIOR_BAD);
      const risk = (own + PRIOR_OF_KIND * lift) / ((chosen * othersOfKind) / others + PRIOR_OF_KIND);
      return Math.max(0, 1 - 1 / risk);
    });
  }
}

/** In how many runs each option was chosen while the run could still go wrong. */
function* countChoices(
  runs: readonly CountedRun[],
  places: readonly number[],
): Generator<undefined, PlaceCounts> {
  const pauses = new Pauses();
  const counts = {
    byOption: new Float64Array(places.length),
    byPlace: new Float64Array(places.length),
    total: 0,
  };
  for (const { turns, reactions, lastAtRisk } of runs) {
    const chosen = new Set<number>();
    for (let turn = 0; turn <= lastAtRisk; turn += 1) {
      if (!reactions[turn]) for (const option of turns[turn] ?? []) chosen.add(option);
      if (pauses.isDue()) yield;
    }
    for (const option of chosen) {
      const place = places[option] ?? 0;
      counts.byOption[option] = (counts.byOption[option] ?? 0) + 1;
      counts.byPlace[place] = (counts.byPlace[place] ?? 0) + 1;
    }
    counts.total += chosen.size;
  }
  return counts;
}
