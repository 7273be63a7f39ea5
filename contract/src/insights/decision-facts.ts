import type { DecisionPointType } from "../traces/enums.ts";
import type { Outcome } from "./outcome.ts";

/*
 * The facts of a trace are what insights count of it, in few bytes (traces.decision_facts). Numbers are big-endian:
 *   header         version 1, number of fingerprints 1, number of decisions 2, release 4
 *   each decision  signature 8, step 4, type (from bit 3 on) and outcome (3 bits) 1, position 2, cost (float) 4,
 *                  duration in ms (float) 4; NaN stands for unknown
 *   fingerprints   4 each
 */

/** Increase it if a definition or the layout changes: facts of other versions are computed again. */
export const FACTS_VERSION = 1;
export const FACTS_HEADER_BYTES = 8;
export const FACTS_DECISION_BYTES = 23;
export const FACTS_FINGERPRINT_BYTES = 4;
export const MAX_FACTS_FINGERPRINTS = 16;
/** The number of decisions, and positions, have two bytes. */
export const MAX_FACTS_DECISIONS = 65_535;
/** So many steps of a trace are in its path, by which similar traces are found. */
export const MAX_PATH_STEPS = 64;

export interface DecisionFacts {
  /** 32-bit hash of the release (`hash32`); 0 if the trace's tags say none. */
  release: number;
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
}
