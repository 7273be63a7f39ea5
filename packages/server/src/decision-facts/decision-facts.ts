import type { DecisionPointType } from "@whytrace/contract";
import type { Outcome } from "./outcome.ts";

/*
 * The facts of a trace are what insights count of it, in few bytes (traces.decision_facts). Numbers are big-endian:
 *   header         version 1, number of fingerprints 1, number of kinds 1, number of decisions 2, release 4, session 4, kind of
 *                  the run's message 4
 *   each decision  signature 8, step 4, type (from bit 3 on) and outcome (3 bits) 1, position 2, flags 1, cost (float) 4,
 *                  duration in ms (float) 4; NaN stands for unknown
 *   fingerprints   4 each
 *   kinds          4 each
 *   draws          only of a trace in which options were drawn at random: index of the decision 2, probability (float) 4
 * Flags are, from the lowest bit: the kind of the decision's error (4 bits, the number of a kind from 1 on, 0 for none), same
 * turn, reaction, offered.
 */

/** Increase it if a definition or the layout changes: facts of other versions are computed again. */
export const FACTS_VERSION = 3;
export const FACTS_HEADER_BYTES = 17;
export const FACTS_DECISION_BYTES = 24;
export const FACTS_HASH_BYTES = 4;
export const FACTS_DRAW_BYTES = 6;
export const MAX_FACTS_FINGERPRINTS = 16;
/** A kind's number has four bits. Further kinds count as the last one. */
export const MAX_FACTS_KINDS = 15;
export const FACTS_FLAGS = { kind: 0b1111, sameTurn: 1 << 4, reaction: 1 << 5, offered: 1 << 6 } as const;
/** The number of decisions, and positions, have two bytes. */
export const MAX_FACTS_DECISIONS = 65_535;
/** Steps in the path of a trace, by which similar traces are found. */
export const MAX_PATH_STEPS = 64;

export interface DecisionFacts {
  /** 32-bit hash of the release (`hash32`); 0 if the trace's tags say none. */
  release: number;
  /** The same for runs that belong together: of one session, else of one user; 0 if the run stands alone. */
  cluster: number;
  /** The kind of the message that a failed run ended with; 0 if there is none. */
  messageKind: number;
  /** In walking order. */
  decisions: DecisionFact[];
  /** Of the trace's errors, each once, those that came first. */
  fingerprints: number[];
}

export interface DecisionFact {
  signature: number;
  step: number;
  type: DecisionPointType;
  outcome: Outcome;
  /** The decision's position in the trace; `MAX_FACTS_DECISIONS` also stands for higher ones. */
  position: number;
  costUsd: number | null;
  durationMs: number | null;
  /** Whether it was made in the same answer of a model as the decision before it, in the same place. */
  isSameTurn: boolean;
  /** Whether it answers an error. */
  isReaction: boolean;
  /** Whether it is known what else could have been chosen. */
  isOffered: boolean;
  /** The kind of the first error that came before the next decision; 0 if none came. */
  errorKind: number;
  /** The probability with which the option was drawn at random; 0 if it was chosen. */
  drawn: number;
}
