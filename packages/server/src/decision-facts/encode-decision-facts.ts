import { DECISION_POINT_TYPES } from "@whytrace/contract";
import {
  type DecisionFact,
  type DecisionFacts,
  FACTS_DECISION_BYTES,
  FACTS_DRAW_BYTES,
  FACTS_FLAGS,
  FACTS_HASH_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
  MAX_FACTS_KINDS,
  MAX_PATH_STEPS,
} from "./decision-facts.ts";

const TWO_TO_32 = 2 ** 32;
const TYPE_NUMBERS = new Map(DECISION_POINT_TYPES.map((type, index) => [type, index]));

/** The layout is described in decision-facts.ts. */
export function encodeDecisionFacts({
  release,
  cluster,
  messageKind,
  decisions,
  fingerprints,
}: DecisionFacts): Uint8Array {
  const kinds = new Set<number>();
  for (const { errorKind } of decisions)
    if (errorKind !== 0 && kinds.size < MAX_FACTS_KINDS) kinds.add(errorKind);
  const kindNumbers = new Map([...kinds].map((kind, index) => [kind, index + 1]));
  const draws = decisions.flatMap(({ drawn }, index) => (drawn > 0 ? { index, drawn } : []));
  const bytes = new Uint8Array(
    FACTS_HEADER_BYTES +
      decisions.length * FACTS_DECISION_BYTES +
      (fingerprints.length + kinds.size) * FACTS_HASH_BYTES +
      draws.length * FACTS_DRAW_BYTES,
  );
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FACTS_VERSION);
  view.setUint8(1, fingerprints.length);
  view.setUint8(2, kinds.size);
  view.setUint16(3, decisions.length);
  view.setUint32(5, release);
  view.setUint32(9, cluster);
  view.setUint32(13, messageKind);
  let at = FACTS_HEADER_BYTES;
  for (const decision of decisions) {
    const { signature, step, type, outcome, position, costUsd, durationMs, errorKind } = decision;
    view.setUint32(at, Math.floor(signature / TWO_TO_32));
    view.setUint32(at + 4, signature >>> 0);
    view.setUint32(at + 8, step);
    view.setUint8(at + 12, ((TYPE_NUMBERS.get(type) ?? 0) << 3) | outcome);
    view.setUint16(at + 13, position);
    const kind = errorKind === 0 ? 0 : (kindNumbers.get(errorKind) ?? MAX_FACTS_KINDS);
    view.setUint8(at + 15, kind | flagsOf(decision));
    view.setFloat32(at + 16, costUsd ?? Number.NaN);
    view.setFloat32(at + 20, durationMs ?? Number.NaN);
    at += FACTS_DECISION_BYTES;
  }
  for (const hash of [...fingerprints, ...kinds]) {
    view.setUint32(at, hash);
    at += FACTS_HASH_BYTES;
  }
  for (const { index, drawn } of draws) {
    view.setUint16(at, index);
    view.setFloat32(at + 2, drawn);
    at += FACTS_DRAW_BYTES;
  }
  return bytes;
}

const flagsOf = ({ isSameTurn, isReaction, isOffered }: DecisionFact) =>
  (isSameTurn ? FACTS_FLAGS.sameTurn : 0) |
  (isReaction ? FACTS_FLAGS.reaction : 0) |
  (isOffered ? FACTS_FLAGS.offered : 0);

/** The first steps of a trace, 4 bytes each (traces.decision_path). Sorted by it, neighbours share the longest beginning. */
export function encodeDecisionPath(decisions: readonly Pick<DecisionFact, "step">[]): Uint8Array {
  const steps = decisions.slice(0, MAX_PATH_STEPS);
  const bytes = new Uint8Array(steps.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, { step }] of steps.entries()) view.setUint32(index * 4, step);
  return bytes;
}
