import { type ShownExperiment, shownExperiment } from "./experiment/shown-experiment.ts";
import { explainRun } from "./fit/explain-run.ts";
import { type Fit, fitCauses } from "./fit/fit-causes.ts";
import { PlaceLifts } from "./fit/place-lifts.ts";
import { strikeRates } from "./fit/strike-rates.ts";
import { isRareWithout } from "./is-rare-without.ts";
import type { FindingsList } from "./list/finding.ts";
import { listFindings } from "./list/list-findings.ts";
import type { ClaimKind } from "./list/option-test.ts";
import { Pauses } from "./pauses.ts";
import type { CountedRun, CountedRuns } from "./runs/counted-run.ts";

/** The fit of all bad runs counts as so many bad runs of the same kind. */
const KIND_PRIOR = 10;
const LIKELY_SHARE = 0.95;
const LIKELY_ADJUSTED = 0.01;
const POSSIBLE_SHARE = 0.6;
const POSSIBLE_P = 0.01;
/** Without any evidence the nearest choice comes first. */
const DECAY_PER_TURN = 0.9;
const BASE_SCORE = 0.1;
/** How much the fit counts for the order of suspects that do not stand out. */
const UNPROVEN_SHARE = 0.05;
const OMITTED_SHARE = 0.5;
/** Fits of single kinds are kept up to here: there may be as many kinds as bad runs. */
const MAX_KIND_BYTES = 4 * 1024 * 1024;

export interface RunSuspect {
  kind: ClaimKind;
  option: number;
  /** The turns at which it was chosen, the likeliest first; none if it was left out. */
  turns: readonly number[];
  /** How much of the run's going wrong it explains. */
  share: number;
  word: "likely" | "possible" | "none";
}

interface RunBlame {
  suspects: readonly RunSuspect[];
  chance: number;
}

export interface RunFigures {
  explains: number;
  ratio: number;
  rate: number;
  otherRate: number;
  comparable: number;
  /** Undefined if nothing, or too little, was drawn at random. */
  experiment: ShownExperiment | undefined;
}

interface LearntFit {
  fit: Fit;
  strikes: Float64Array;
}

/** Which decision made a run go wrong? All that was learnt of an agent's runs, to blame any of its bad runs. */
export class Blamer {
  readonly list: FindingsList;
  readonly #counted: CountedRuns;
  readonly #all: LearntFit;
  readonly #lifts: PlaceLifts;
  /** Those that fit into their budget. */
  readonly #byKind = new Map<number, LearntFit>();
  #kindBytes = 0;

  private constructor(counted: CountedRuns, all: LearntFit, list: FindingsList, lifts: PlaceLifts) {
    this.#counted = counted;
    this.#all = all;
    this.#lifts = lifts;
    this.list = list;
  }

  /**
   * `places`: where each option is an alternative; all in one place if it is not known. `known`: what findings say, if it is not what these
   * runs say alone.
   */
  static *learn(
    counted: CountedRuns,
    places?: readonly number[],
    known?: FindingsList,
  ): Generator<undefined, Blamer> {
    const all = yield* learnFit(counted);
    const list = known ?? (yield* listFindings(counted, all.fit));
    const onePlace = () => new Array<number>(counted.options).fill(0);
    return new Blamer(counted, all, list, yield* PlaceLifts.learn(counted.runs, places ?? onePlace()));
  }

  /** All bad runs, and those that only chance explains. */
  get totals(): { bad: number; chance: number } {
    const { bad, chance } = this.#all.fit;
    return { bad, chance };
  }

  /** Bytes that it holds, and may hold when runs of more kinds are blamed. */
  get byteLength(): number {
    const { runs } = this.#counted;
    const turns = runs.reduce((sum, run) => sum + run.turns.length, 0);
    return turns * BYTES_PER_TURN + runs.length * BYTES_PER_RUN + bytesOf(this.#all.fit) + MAX_KIND_BYTES;
  }

  /** What the list says about an option; undefined if nothing could be compared. */
  figuresOf(kind: ClaimKind, option: number): RunFigures | undefined {
    const test = this.list.tests.find((one) => one.kind === kind && one.option === option);
    if (!test || test.exposed === 0) return undefined;
    const { ratio, rate, otherRate, exposed } = test;
    const explained = kind === "chose" ? this.#all.fit.involved : this.#all.fit.leftOut;
    const experiment = kind === "chose" ? this.list.experiments.get(option) : undefined;
    return {
      explains: explained[option] ?? 0,
      ratio,
      rate,
      otherRate,
      comparable: exposed,
      experiment: experiment && shownExperiment(experiment),
    };
  }

  /** `run` is bad, and was counted as `counted`, perhaps with another onset. */
  *blame(run: CountedRun, counted = run): Generator<undefined, RunBlame> {
    const ofKind = yield* this.#learnKind(run.kind);
    const kindShare = ofKind.fit.hits.size / (ofKind.fit.hits.size + KIND_PRIOR);
    const mixed = [
      { learnt: ofKind, part: kindShare },
      { learnt: this.#all, part: 1 - kindShare },
    ];
    const groups = new Map<string, { kind: ClaimKind; option: number; turns: Map<number, number> }>();
    const pauses = new Pauses();
    let chance = 0;
    for (const { learnt, part } of mixed) {
      const explained = yield* explainRun(run, learnt.fit, learnt.strikes, counted);
      chance += part * explained.chance;
      for (const { kind, option, turn = OMITTED, share } of explained.explanations) {
        const key = `${kind} ${option}`;
        const group = groups.get(key) ?? { kind, option, turns: new Map<number, number>() };
        groups.set(key, group);
        group.turns.set(turn, (group.turns.get(turn) ?? 0) + part * share);
        if (pauses.isDue()) yield;
      }
    }
    const scores = yield* this.#scores(run);
    const suspects: (RunSuspect & { rank: number })[] = [];
    for (const { kind, option, turns } of groups.values()) {
      const share = [...turns.values()].reduce((sum, value) => sum + value, 0);
      const ordered = [...turns].sort(([one, a], [other, b]) => b - a || other - one);
      const word = yield* this.#word(kind, option, share, run.kind);
      const suspect = {
        kind,
        option,
        turns: kind === "chose" ? ordered.map(([turn]) => turn) : [],
        share,
        word,
      };
      suspects.push({ ...suspect, rank: rankOf(suspect, scores.get(option) ?? 0) });
    }
    suspects.sort(
      (one, other) => other.rank - one.rank || (other.turns[0] ?? OMITTED) - (one.turns[0] ?? OMITTED),
    );
    return { suspects, chance };
  }

  /** How suspect each choice of a run is by the lift in its place, and by how near it is; they add up to 1. */
  *#scores({ turns, reactions, lastAtRisk, kind }: CountedRun): Generator<undefined, Map<number, number>> {
    const fractions = yield* this.#lifts.fractions(kind);
    const pauses = new Pauses();
    const scores = new Map<number, number>();
    let sum = 0;
    for (let turn = lastAtRisk; turn >= 0; turn -= 1) {
      if (pauses.isDue()) yield;
      if (reactions[turn]) continue;
      for (const option of turns[turn] ?? []) {
        if (scores.has(option)) continue;
        const score = DECAY_PER_TURN ** (lastAtRisk - turn) * (BASE_SCORE + (fractions[option] ?? 0));
        scores.set(option, score);
        sum += score;
      }
    }
    for (const [option, score] of scores) scores.set(option, score / sum);
    return scores;
  }

  *#learnKind(kind: number): Generator<undefined, LearntFit> {
    const known = this.#byKind.get(kind);
    if (known) return known;
    const learnt = yield* learnFit(this.#counted, kind);
    const bytes = bytesOf(learnt.fit);
    if (this.#kindBytes + bytes <= MAX_KIND_BYTES && !this.#byKind.has(kind)) {
      this.#kindBytes += bytes;
      this.#byKind.set(kind, learnt);
    }
    return learnt;
  }

  *#word(
    kind: ClaimKind,
    option: number,
    share: number,
    badKind: number,
  ): Generator<undefined, RunSuspect["word"]> {
    const isThis = (one: { kind: ClaimKind; option: number }) => one.kind === kind && one.option === option;
    if (kind === "chose" && this.list.cleared.has(option)) return "none";
    const finding = this.list.findings.find(isThis);
    const isWorse = finding?.group === "worse";
    const isExplained = isWorse && share >= LIKELY_SHARE && finding.adjusted < LIKELY_ADJUSTED;
    if (isExplained && (yield* isRareWithout(this.#counted.runs, { kind, option }, badKind))) return "likely";
    // What explains runs of the agent is never left out of the answer about a run that chose it.
    if (isWorse && kind === "chose") return "possible";
    const standsOut = finding !== undefined || (this.list.tests.find(isThis)?.p ?? 1) < POSSIBLE_P;
    return standsOut && share >= POSSIBLE_SHARE ? "possible" : "none";
  }
}

/**
 * Suspects that stand out come first. The fit needs many runs until it can tell choices from each other, so the others are
 * ordered by the lift in their place, and the fit only decides between equals; what was left out has no lift.
 */
function rankOf({ kind, share, word }: RunSuspect, score: number): number {
  if (word !== "none") return 1 + share;
  return kind === "chose" ? UNPROVEN_SHARE * share + (1 - UNPROVEN_SHARE) * score : OMITTED_SHARE * share;
}

/** About what Node.js needs. */
const BYTES_PER_TURN = 64;
const BYTES_PER_RUN = 400;
const BYTES_PER_CELL = 4 * Float64Array.BYTES_PER_ELEMENT;

function bytesOf({ sums, hits }: Fit): number {
  let cells = 2 * sums.length;
  for (const hit of hits.values()) cells += hit.cells.length;
  return cells * BYTES_PER_CELL;
}

/** The turn of what was left out: before all others. */
const OMITTED = -1;

function* learnFit(counted: CountedRuns, kind?: number): Generator<undefined, LearntFit> {
  const fit = yield* fitCauses(counted, kind);
  return { fit, strikes: strikeRates(counted.runs, fit) };
}
