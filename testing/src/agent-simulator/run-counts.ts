import { type DecisionFacts, OPEN_OUTCOME } from "@whytrace/contract";
import {
  type BlameCounts,
  combineCounts,
  NO_COUNTS,
} from "../../../server/src/insights/blame/blame-counts.ts";
import type { ChoiceCounts } from "../../../server/src/insights/blame/rank-suspects.ts";

interface StepCounts extends Omit<ChoiceCounts, "sameErrorRuns"> {
  signature: number;
  runsByFingerprint: Map<number, number>;
}

/** Counts runs of one agent in memory, as the server's days count them. */
export class RunCounts {
  readonly #steps = new Map<number, StepCounts>();

  /** With a factor of -1, removes a run again. */
  add({ decisions, fingerprints }: DecisionFacts, factor: 1 | -1 = 1) {
    const met = new Set<number>();
    for (const { signature, step, outcome } of decisions) {
      if (outcome === OPEN_OUTCOME) continue;
      let counts = this.#steps.get(step);
      if (!counts) {
        counts = { signature, decisions: 0, bad: 0, runs: 0, runsByFingerprint: new Map() };
        this.#steps.set(step, counts);
      }
      counts.decisions += factor;
      if (outcome !== 0) counts.bad += factor;
      if (met.has(step)) continue;
      met.add(step);
      counts.runs += factor;
      for (const fingerprint of fingerprints)
        counts.runsByFingerprint.set(fingerprint, (counts.runsByFingerprint.get(fingerprint) ?? 0) + factor);
    }
  }

  /** The counts for one error. */
  about(fingerprint: number): BlameCounts {
    const bySignature = new Map<number, ChoiceCounts>();
    let agent = NO_COUNTS;
    const ofStep = (step: number): ChoiceCounts => {
      const counts = this.#steps.get(step);
      if (!counts) return NO_COUNTS;
      const { decisions, bad, runs, runsByFingerprint } = counts;
      return { decisions, bad, runs, sameErrorRuns: runsByFingerprint.get(fingerprint) ?? 0 };
    };
    for (const [step, { signature }] of this.#steps) {
      const counts = ofStep(step);
      agent = combineCounts(agent, counts, 1);
      bySignature.set(signature, combineCounts(bySignature.get(signature) ?? NO_COUNTS, counts, 1));
    }
    return { agent, ofStep, ofSignature: (signature) => bySignature.get(signature) ?? NO_COUNTS };
  }
}
