import { DECISION_POINT_TYPES } from "../traces/enums.ts";
import {
  type DecisionFact,
  type DecisionFacts,
  FACTS_DECISION_BYTES,
  FACTS_FINGERPRINT_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
} from "./decision-facts.ts";
import { OPEN_OUTCOME, OUTCOMES } from "./outcome.ts";

const TWO_TO_32 = 2 ** 32;

/** Returns null if the facts are of another version. */
export function decodeDecisionFacts(bytes: Uint8Array): DecisionFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FACTS_HEADER_BYTES || view.getUint8(0) !== FACTS_VERSION) return null;
  const decisions: DecisionFact[] = [];
  let at = FACTS_HEADER_BYTES;
  for (let left = view.getUint16(2); left > 0; left--) {
    decisions.push(decodeDecision(view, at));
    at += FACTS_DECISION_BYTES;
  }
  const fingerprints: number[] = [];
  for (let left = view.getUint8(1); left > 0; left--) {
    fingerprints.push(view.getUint32(at));
    at += FACTS_FINGERPRINT_BYTES;
  }
  return { release: view.getUint32(4), decisions, fingerprints };
}

function decodeDecision(view: DataView, at: number): DecisionFact {
  const typeAndOutcome = view.getUint8(at + 12);
  return {
    signature: view.getUint32(at) * TWO_TO_32 + view.getUint32(at + 4),
    step: view.getUint32(at + 8),
    type: DECISION_POINT_TYPES[typeAndOutcome >> 3] ?? "CUSTOM",
    outcome: OUTCOMES[typeAndOutcome & 7] ?? OPEN_OUTCOME,
    position: view.getUint16(at + 13),
    costUsd: known(view.getFloat32(at + 15)),
    durationMs: known(view.getFloat32(at + 19)),
  };
}

const known = (value: number) => (Number.isNaN(value) ? null : value);

/** The steps of all decisions, in walking order, without what else is known of them; null if the facts are of another version. */
export function decodeFactsSteps(bytes: Uint8Array): number[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FACTS_HEADER_BYTES || view.getUint8(0) !== FACTS_VERSION) return null;
  return Array.from({ length: view.getUint16(2) }, (_, index) =>
    view.getUint32(FACTS_HEADER_BYTES + index * FACTS_DECISION_BYTES + 8),
  );
}

/** The steps of a path. */
export function decodeDecisionPath(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4));
}
