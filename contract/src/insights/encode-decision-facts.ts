import { DECISION_POINT_TYPES } from "../traces/enums.ts";
import {
  type DecisionFact,
  type DecisionFacts,
  FACTS_DECISION_BYTES,
  FACTS_FINGERPRINT_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
  MAX_PATH_STEPS,
} from "./decision-facts.ts";

const TWO_TO_32 = 2 ** 32;
const TYPE_NUMBERS = new Map(DECISION_POINT_TYPES.map((type, index) => [type, index]));

/** The layout is described in decision-facts.ts. */
export function encodeDecisionFacts({ release, decisions, fingerprints }: DecisionFacts): Uint8Array {
  const bytes = new Uint8Array(
    FACTS_HEADER_BYTES +
      decisions.length * FACTS_DECISION_BYTES +
      fingerprints.length * FACTS_FINGERPRINT_BYTES,
  );
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FACTS_VERSION);
  view.setUint8(1, fingerprints.length);
  view.setUint16(2, decisions.length);
  view.setUint32(4, release);
  let at = FACTS_HEADER_BYTES;
  for (const { signature, step, type, outcome, position, costUsd, durationMs } of decisions) {
    view.setUint32(at, Math.floor(signature / TWO_TO_32));
    view.setUint32(at + 4, signature >>> 0);
    view.setUint32(at + 8, step);
    view.setUint8(at + 12, ((TYPE_NUMBERS.get(type) ?? 0) << 3) | outcome);
    view.setUint16(at + 13, position);
    view.setFloat32(at + 15, costUsd ?? Number.NaN);
    view.setFloat32(at + 19, durationMs ?? Number.NaN);
    at += FACTS_DECISION_BYTES;
  }
  for (const fingerprint of fingerprints) {
    view.setUint32(at, fingerprint);
    at += FACTS_FINGERPRINT_BYTES;
  }
  return bytes;
}

/** The first steps of a trace, 4 bytes each (traces.decision_path). Sorted by it, neighbours share the longest beginning. */
export function encodeDecisionPath(decisions: readonly Pick<DecisionFact, "step">[]): Uint8Array {
  const steps = decisions.slice(0, MAX_PATH_STEPS);
  const bytes = new Uint8Array(steps.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, { step }] of steps.entries()) view.setUint32(index * 4, step);
  return bytes;
}
