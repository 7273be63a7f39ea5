import type { DecisionPointType, Status } from "@whytrace/contract";
import { decodeDecisionFacts } from "../../../decision-facts/decode-decision-facts.ts";
import { limitOptions, MAX_OPTIONS } from "./limit-options.ts";
import { Numbering } from "./numbering.ts";
import type { Draw, ObservedRun } from "./observed-run.ts";
import { type RunTurn, runTurns } from "./run-turns.ts";

/** A run as it is stored. */
export interface RecordedRun {
  id: string;
  status: Status;
  /** Decision facts, encoded. */
  facts: Uint8Array;
  startedAtMs: number;
  /** Whether a score made it bad. */
  isScoredBad?: boolean;
  /** The position of a decision of the turn that its first bad score is about; null or absent if no single one is. */
  scoredAt?: number | null;
  /** With which sampling kept it; null or absent if it does not say so. */
  probability?: number | null;
  /** Whether it is bad by something else than a score, such as its status or a tag. Default: it ended in ERROR. */
  isBadByObserved?: boolean;
  /** A number of `RUN_OUTCOMES`. */
  outcome?: number;
  /** Who judged the run, and who said that it is bad: `OUTCOME_FLAGS` and `SOURCE_FLAGS`. */
  outcomeFlags?: number;
  /** What the workspace's situation keys are worth in this run, as one text. */
  situation: string;
}

/** What an option stands for. */
export interface ObservedOption {
  step: number;
  signature: number;
  type: DecisionPointType;
  /** How often it was chosen, and how often by the first turn of a run. */
  decisions: number;
  firstDecisions: number;
  /** Whether it was only ever seen when it was chosen, since no alternatives are known. */
  isObserved: boolean;
}

export interface ObservedRuns {
  runs: readonly ObservedRun[];
  /** The ids of the runs' traces, by the index of a run. */
  traceIds: readonly string[];
  /** By the option's number. */
  options: readonly ObservedOption[];
}

/**
 * Reads runs of an agent from their facts, in the given order. Steps become options, numbered as they appear. Of very many options
 * the most frequent ones are counted; the others leave their turns empty.
 */
export function* observeRuns(recorded: readonly RecordedRun[]): Generator<undefined, ObservedRuns> {
  const observer = new RunObserver();
  const runs: ObservedRun[] = [];
  const traceIds: string[] = [];
  for (const one of recorded) {
    const run = yield* observer.observe(one);
    if (run) {
      runs.push(run);
      traceIds.push(one.id);
    }
    yield;
  }
  const { options } = observer;
  if (options.length <= MAX_OPTIONS) return { runs, traceIds, options };
  const numbers = yield* limitOptions(runs, options.length);
  const limited: ObservedRun[] = [];
  for (const run of runs) {
    limited.push({
      ...run,
      turns: run.turns.map((turn) => turn.flatMap((option) => numbers[option] ?? [])),
      ...(run.draws && {
        draws: run.draws.flatMap((draw) => {
          const option = numbers[draw.option];
          return option === undefined ? [] : { ...draw, option };
        }),
      }),
    });
    yield;
  }
  return { runs: limited, traceIds, options: options.filter((_, option) => numbers[option] !== undefined) };
}

/** About half a millisecond of work. */
const TURNS_PER_STEP = 2_000;
/** One run that stands for very many would decide everything. */
const MAX_WEIGHT = 1_000;

class RunObserver {
  readonly options: ObservedOption[] = [];
  readonly #numbers = new Numbering<number>();
  readonly #situations = new Numbering<string>();
  readonly #clusters = new Numbering<number | string>();

  /** Undefined if the facts are of an earlier version: they will be computed again. */
  *observe({
    id,
    status,
    facts: bytes,
    startedAtMs,
    isScoredBad = false,
    scoredAt = null,
    probability,
    isBadByObserved = status === "ERROR",
    situation,
  }: RecordedRun): Generator<undefined, ObservedRun | undefined> {
    const facts = decodeDecisionFacts(bytes);
    if (!facts) return undefined;
    yield;
    const turns = runTurns(facts);
    yield;
    const options: number[][] = [];
    const draws: Draw[] = [];
    for (const [turn, { decisions }] of turns.entries()) {
      const chosen = decisions.map((decision) => this.#optionOf(decision, turn === 0));
      options.push(chosen);
      for (const [index, { drawn, signature }] of decisions.entries())
        if (drawn > 0) draws.push({ place: signature, option: chosen[index] ?? 0, probability: drawn });
      if (turn % TURNS_PER_STEP === TURNS_PER_STEP - 1) yield;
    }
    const scoredTurn = scoredAt === null ? -1 : turns.findIndex(({ decisions }) => isAt(decisions, scoredAt));
    const costs = turns.map(turnCost);
    return {
      turns: options,
      errors: turns.map(({ errorKind }) => errorKind),
      reactions: turns.map(({ isReaction }) => isReaction),
      status,
      messageKind: facts.messageKind === 0 ? null : facts.messageKind,
      isScoredBad,
      ...(scoredTurn >= 0 && { scoredTurn }),
      isBadByObserved,
      cluster: this.#clusters.of(facts.cluster === 0 ? id : facts.cluster),
      situation: this.#situations.of(situation),
      release: facts.release,
      startedAtMs,
      weight: Math.min(MAX_WEIGHT, 1 / (probability ?? 1)),
      ...(costs.some((cost) => cost !== null) && { costs }),
      ...(draws.length > 0 && { draws }),
    };
  }

  #optionOf(
    {
      step,
      signature,
      type,
      isOffered,
    }: { step: number; signature: number; type: DecisionPointType; isOffered: boolean },
    isFirstTurn: boolean,
  ): number {
    const number = this.#numbers.of(step);
    const option = this.options[number] ?? {
      step,
      signature,
      type,
      decisions: 0,
      firstDecisions: 0,
      isObserved: true,
    };
    this.options[number] = option;
    option.decisions += 1;
    if (isFirstTurn) option.firstDecisions += 1;
    if (isOffered) option.isObserved = false;
    return number;
  }
}

/** Decisions of a turn share what follows it, and the first has all of it. Below 0 it is a mistake of the sender. */
function turnCost({ decisions }: RunTurn): number | null {
  let most: number | null = null;
  for (const { costUsd } of decisions) if (costUsd !== null) most = Math.max(most ?? 0, costUsd);
  return most;
}

const isAt = (decisions: RunTurn["decisions"], at: number) =>
  decisions.some(({ position }) => position === at);
