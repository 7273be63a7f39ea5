import type { DecisionPointType } from "@whytrace/contract";
import type { DecisionFacts } from "../../decision-facts/decision-facts.ts";
import { isFailedOutcome } from "../../decision-facts/failed-outcome.ts";
import { OPEN_OUTCOME, UNKNOWN_OUTCOME } from "../../decision-facts/outcome.ts";
import {
  CHOICE_COLUMNS,
  CHOICE_COUNTS,
  COUNT_COLUMNS,
  GROUP_COLUMNS,
  GROUP_COUNTS,
  VOTE_COLUMNS,
} from "./count-columns.ts";
import { CountTable } from "./count-table.ts";
import { BUCKETS, bucketOf, HISTOGRAM_KINDS, type HistogramKind } from "./histogram-buckets.ts";
import { KeyTable } from "./key-table.ts";
import { RunCounter, SILENT, type Vote } from "./run-counter.ts";

/** A trace, as it is counted. */
export interface CountedRun {
  traceId: string;
  agent: number;
  costUsd: number | null;
  /** As they are judged. */
  facts: DecisionFacts;
  /** How the run is judged, as it is stored: 1 bad, 2 unknown. Without it, the facts decide. */
  outcome?: number;
  /** Default: nobody judged it, nor was asked to. */
  vote?: Vote;
}

/** Where the name of an option can be read: a decision that chose it. */
export interface Sample {
  traceId: string;
  position: number;
}

/** The start of a run, as the step before its first one; and the end, as the step after its last one. */
export const NO_STEP = 0;
/** Stands for all agents that are too many to be told apart. It is no hash of a name. */
export const OTHER_AGENTS = 0;
const OTHER_AGENTS_ROW = 0;

/** Outcomes of runs, as they are stored. */
const [BAD, UNKNOWN] = [1, 2];

const TWO_TO_32 = 2 ** 32;
const high = (hash: number) => Math.floor(hash / TWO_TO_32);
const low = (hash: number) => hash >>> 0;

/** Far more than a day or range shows. They bound the memory that traces without anything in common need. */
const MAX_AGENTS = 2_000;
const MAX_ROWS = 40_000;
const MAX_HISTOGRAM_CELLS = 400_000;

/** Rows between two pauses in which other work can run. */
export const ROWS_PER_STEP = 1_000;

/** About what a row of `choices` takes outside of the table: the sample, its share of the trace's id, signature and type. */
const SAMPLE_BYTES = 100;

/** What is counted of the decisions of one choice, or of all choices of a signature together. */
interface ChoiceKey {
  group: number;
  signature: number;
  type: DecisionPointType;
  /** `NO_STEP`: all choices of the signature. */
  step: number;
}

/**
 * The facts of traces, added up. Agents are numbered; a group is an agent and a release. All tables have a bounded number of
 * rows: `isTruncated` says whether something did not fit.
 */
export class Tally {
  readonly agents: KeyTable;
  /** By agent and release. */
  readonly groups: CountTable;
  /** By group and step, or group and signature. */
  readonly choices: CountTable;
  /** By agent, step before and step. The last one of a run is followed by `NO_STEP`. Without running traces. */
  readonly transitions: CountTable;
  /** Traces by agent, step (`NO_STEP`: any) and fingerprint. Without running traces. */
  readonly errors: CountTable;
  /** By row of `choices`, of those with runs that were judged or whose users were asked. */
  readonly votes: CountTable;
  /** By row of `choices`, kind and bucket. */
  readonly histograms: CountTable;
  /** By row of `choices`. */
  readonly signatures: number[];
  readonly types: DecisionPointType[];
  readonly samples: Sample[];
  /** By row of `groups`: one of its traces. */
  readonly groupSamples: string[];
  isTruncated: boolean;
  readonly #choiceCounter: RunCounter;
  readonly #transitionCounter: RunCounter;
  /** By row of a choice: the row of its signature. */
  readonly #signatureRows: number[];

  /** Empty, or a copy to which more can be added; rows have the same numbers in it. */
  constructor(copied?: Tally) {
    this.agents = copied?.agents.copy() ?? new KeyTable(MAX_AGENTS);
    this.groups = copied?.groups.copy() ?? new CountTable(GROUP_COLUMNS, new KeyTable(MAX_ROWS));
    this.choices = copied?.choices.copy() ?? new CountTable(CHOICE_COLUMNS, new KeyTable(MAX_ROWS));
    this.transitions = copied?.transitions.copy() ?? new CountTable(COUNT_COLUMNS, new KeyTable(MAX_ROWS));
    this.errors = copied?.errors.copy() ?? new CountTable(1, new KeyTable(MAX_ROWS));
    this.votes = copied?.votes.copy() ?? new CountTable(VOTE_COLUMNS, new KeyTable(MAX_ROWS));
    this.histograms = copied?.histograms.copy() ?? new CountTable(1, new KeyTable(MAX_HISTOGRAM_CELLS));
    this.signatures = copied?.signatures.slice() ?? [];
    this.types = copied?.types.slice() ?? [];
    this.samples = copied?.samples.slice() ?? [];
    this.groupSamples = copied?.groupSamples.slice() ?? [];
    this.isTruncated = copied?.isTruncated ?? false;
    this.#signatureRows = copied ? copied.#signatureRows.slice() : [];
    this.#choiceCounter = new RunCounter(
      this.choices,
      (row, ended, session) => {
        const total = session.endedOf(this.#signatureRows[row] ?? row);
        this.choices.add(row, CHOICE_COUNTS.endedSquares, ended * ended);
        this.choices.add(row, CHOICE_COUNTS.signatureProducts, ended * total);
      },
      copied ? copied.#choiceCounter : undefined,
      this.votes,
    );
    this.#transitionCounter = new RunCounter(
      this.transitions,
      undefined,
      copied ? copied.#transitionCounter : undefined,
    );
    this.agents.add(high(OTHER_AGENTS), low(OTHER_AGENTS), 0);
  }

  /** About how much memory it takes. */
  get byteLength(): number {
    const tables = [this.groups, this.choices, this.transitions, this.errors, this.votes, this.histograms];
    return (
      this.agents.byteLength +
      tables.reduce((sum, { byteLength }) => sum + byteLength, 0) +
      this.#choiceCounter.byteLength +
      this.#transitionCounter.byteLength +
      this.samples.length * SAMPLE_BYTES
    );
  }

  agentRow(agent: number): number {
    return this.#checked(this.agents.add(high(agent), low(agent), 0)) ?? OTHER_AGENTS_ROW;
  }

  agentHash(row: number): number {
    return this.agents.key(row, 0) * TWO_TO_32 + this.agents.key(row, 1);
  }

  /** -1 if nothing was counted of this agent. */
  findAgent(agent: number): number {
    return this.agents.find(high(agent), low(agent), 0);
  }

  /** `sample` counts if the group is new. */
  groupRow(agentRow: number, release: number, sample: string): number | undefined {
    const row = this.#checked(this.groups.row(agentRow, release, 0));
    if (row !== undefined) this.groupSamples[row] ??= sample;
    return row;
  }

  choiceRow({ group, signature, type, step }: ChoiceKey, sample: Sample): number | undefined {
    const row = this.#checked(
      step === NO_STEP
        ? this.choices.row(group, low(signature), high(signature) + 1)
        : this.choices.row(group, step, 0),
    );
    if (row === this.samples.length) {
      this.signatures.push(signature);
      this.types.push(type);
      this.samples.push(sample);
    }
    return row;
  }

  /** `NO_STEP` if the row counts a whole signature. */
  stepOf(choiceRow: number): number {
    return this.choices.keys.key(choiceRow, 2) === 0 ? this.choices.keys.key(choiceRow, 1) : NO_STEP;
  }

  groupOf(choiceRow: number): number {
    return this.choices.keys.key(choiceRow, 0);
  }

  agentOf(groupRow: number): number {
    return this.groups.keys.key(groupRow, 0);
  }

  releaseOf(groupRow: number): number {
    return this.groups.keys.key(groupRow, 1);
  }

  transitionRow(agentRow: number, before: number, step: number): number | undefined {
    return this.#checked(this.transitions.row(agentRow, before, step));
  }

  addError(agentRow: number, step: number, fingerprint: number, runs: number) {
    const row = this.#checked(this.errors.row(agentRow, step, fingerprint));
    if (row !== undefined) this.errors.add(row, 0, runs);
  }

  addToHistogram(choiceRow: number, kind: HistogramKind, bucket: number, count: number) {
    const cell = HISTOGRAM_KINDS.indexOf(kind) * BUCKETS + bucket;
    const row = this.#checked(this.histograms.row(choiceRow, cell, 0));
    if (row !== undefined) this.histograms.add(row, 0, count);
  }

  /**
   * Adds a trace. Other work can run between steps: a trace may have tens of thousands of decisions. Call `endSessions` after the
   * last one.
   */
  *addRun({
    traceId,
    agent,
    costUsd,
    facts: { release, cluster, decisions, fingerprints },
    outcome,
    vote = SILENT,
  }: CountedRun): Generator<undefined, void> {
    const [first] = decisions;
    if (!first) return;
    const isOpen = first.outcome === OPEN_OUTCOME;
    const isError = outcome === undefined ? first.outcome === 2 || first.outcome === 3 : outcome === BAD;
    const isUnknown = outcome === UNKNOWN;
    const agentRow = this.agentRow(agent);
    const group = this.groupRow(agentRow, release, traceId);
    if (group === undefined) return;
    const { groups } = this;
    groups.add(group, GROUP_COUNTS.runs, 1);
    if (isOpen) groups.add(group, GROUP_COUNTS.openRuns, 1);
    if (isError) groups.add(group, GROUP_COUNTS.errorRuns, 1);
    if (isUnknown) groups.add(group, GROUP_COUNTS.unknownRuns, 1);
    if (vote.isAnswered && !isOpen) groups.add(group, GROUP_COUNTS.answeredRuns, 1);
    if (vote.isAsked && !isOpen) groups.add(group, GROUP_COUNTS.askedRuns, 1);
    groups.add(group, GROUP_COUNTS.decisions, decisions.length);
    if (costUsd !== null) {
      groups.add(group, GROUP_COUNTS.costs, 1);
      groups.add(group, GROUP_COUNTS.costUsd, costUsd);
    }
    yield* this.#addChoices(traceId, group, decisions);
    this.#choiceCounter.endRun(cluster, isError, vote);
    if (isOpen) return;
    yield* this.#addTransitions(agentRow, decisions, isError);
    this.#transitionCounter.endRun(cluster, isError);
    if (this.#choiceCounter.isFull || this.#transitionCounter.isFull) yield* this.endSessions();
    if (isUnknown) return;
    yield* this.#addErrors(agentRow, decisions, fingerprints);
  }

  /** Adds up the sessions of the traces, which needs all of them. */
  *endSessions(): Generator<undefined, void> {
    yield* this.#choiceCounter.endSessions();
    yield* this.#transitionCounter.endSessions();
  }

  *#addChoices(
    traceId: string,
    group: number,
    decisions: DecisionFacts["decisions"],
  ): Generator<undefined, void> {
    const counter = this.#choiceCounter;
    let left = ROWS_PER_STEP;
    for (const { signature, step, type, outcome, position, costUsd, durationMs, isOffered } of decisions) {
      if (--left === 0) {
        yield;
        left = ROWS_PER_STEP;
      }
      const sample = { traceId, position };
      const total = this.choiceRow({ group, signature, type, step: NO_STEP }, sample);
      const row = this.choiceRow({ group, signature, type, step }, sample);
      if (row === undefined || total === undefined) continue;
      this.#signatureRows[row] = total;
      if (outcome === OPEN_OUTCOME) {
        counter.countOpen(row);
        counter.countOpen(total);
        continue;
      }
      if (isOffered) this.choices.add(row, CHOICE_COUNTS.offered, 1);
      if (outcome === UNKNOWN_OUTCOME) {
        counter.countUnknown(row);
        counter.countUnknown(total);
        continue;
      }
      const isFailed = isFailedOutcome(type, outcome);
      counter.count(row, outcome, isFailed);
      counter.count(total, outcome, isFailed);
      if (durationMs !== null) this.addToHistogram(row, "durationMs", bucketOf("durationMs", durationMs), 1);
      if (costUsd !== null) this.addToHistogram(row, "costUsd", bucketOf("costUsd", costUsd), 1);
    }
  }

  *#addTransitions(
    agentRow: number,
    decisions: DecisionFacts["decisions"],
    isError: boolean,
  ): Generator<undefined, void> {
    let before = NO_STEP;
    let left = ROWS_PER_STEP;
    for (const { step, type, outcome } of decisions) {
      if (--left === 0) {
        yield;
        left = ROWS_PER_STEP;
      }
      const row = this.transitionRow(agentRow, before, step);
      if (row !== undefined) this.#countTransition(row, outcome, isFailedOutcome(type, outcome));
      before = step;
    }
    const last = decisions.at(-1);
    const row = last && this.transitionRow(agentRow, before, NO_STEP);
    if (row !== undefined) this.#countTransition(row, last?.outcome ?? 0, isError);
  }

  #countTransition(row: number, outcome: number, isFailed: boolean) {
    if (outcome === UNKNOWN_OUTCOME) this.#transitionCounter.countUnknown(row);
    else this.#transitionCounter.count(row, outcome, isFailed);
  }

  *#addErrors(
    agentRow: number,
    decisions: DecisionFacts["decisions"],
    fingerprints: number[],
  ): Generator<undefined, void> {
    if (fingerprints.length === 0) return;
    const steps = new Set([NO_STEP]);
    for (const { step } of decisions) steps.add(step);
    let left = ROWS_PER_STEP;
    for (const step of steps) {
      for (const fingerprint of fingerprints) this.addError(agentRow, step, fingerprint, 1);
      left -= fingerprints.length;
      if (left > 0) continue;
      yield;
      left = ROWS_PER_STEP;
    }
  }

  /** Undefined instead of -1, which says that a table is full. */
  #checked(row: number): number | undefined {
    if (row >= 0) return row;
    this.isTruncated = true;
    return undefined;
  }
}
