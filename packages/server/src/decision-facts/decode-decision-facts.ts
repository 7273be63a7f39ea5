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
} from "./decision-facts.ts";
import { OPEN_OUTCOME, OUTCOMES } from "./outcome.ts";

const TWO_TO_32 = 2 ** 32;

/** Returns null if the facts are of another version. */
export function decodeDecisionFacts(bytes: Uint8Array): DecisionFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FACTS_HEADER_BYTES || view.getUint8(0) !== FACTS_VERSION) return null;
  const decisionCount = view.getUint16(3);
  const hashes = FACTS_HEADER_BYTES + decisionCount * FACTS_DECISION_BYTES;
  const readHashes = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => view.getUint32(hashes + (first + index) * FACTS_HASH_BYTES));
  const fingerprints = readHashes(0, view.getUint8(1));
  const kinds = readHashes(fingerprints.length, view.getUint8(2));
  const decisions: DecisionFact[] = [];
  for (let at = FACTS_HEADER_BYTES; at < hashes; at += FACTS_DECISION_BYTES)
    decisions.push(decodeDecision(view, at, kinds));
  const draws = hashes + (fingerprints.length + kinds.length) * FACTS_HASH_BYTES;
  for (let at = draws; at < bytes.length; at += FACTS_DRAW_BYTES) {
    const decision = decisions[view.getUint16(at)];
    if (decision) decision.drawn = view.getFloat32(at + 2);
  }
  return {
    release: view.getUint32(5),
    cluster: view.getUint32(9),
    messageKind: view.getUint32(13),
    decisions,
    fingerprints,
  };
}

function decodeDecision(view: DataView, at: number, kinds: readonly number[]): DecisionFact {
  const typeAndOutcome = view.getUint8(at + 12);
  const flags = view.getUint8(at + 15);
  return {
    signature: view.getUint32(at) * TWO_TO_32 + view.getUint32(at + 4),
    step: view.getUint32(at + 8),
    type: DECISION_POINT_TYPES[typeAndOutcome >> 3] ?? "CUSTOM",
    outcome: OUTCOMES[typeAndOutcome & 7] ?? OPEN_OUTCOME,
    position: view.getUint16(at + 13),
    costUsd: known(view.getFloat32(at + 16)),
    durationMs: known(view.getFloat32(at + 20)),
    isSameTurn: (flags & FACTS_FLAGS.sameTurn) !== 0,
    isReaction: (flags & FACTS_FLAGS.reaction) !== 0,
    isOffered: (flags & FACTS_FLAGS.offered) !== 0,
    errorKind: kinds[(flags & FACTS_FLAGS.kind) - 1] ?? 0,
    drawn: 0,
  };
}

const known = (value: number) => (Number.isNaN(value) ? null : value);

/** The steps of all decisions, in walking order, without what else is known of them; null if the facts are of another version. */
export function decodeFactsSteps(bytes: Uint8Array): number[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FACTS_HEADER_BYTES || view.getUint8(0) !== FACTS_VERSION) return null;
  return Array.from({ length: view.getUint16(3) }, (_, index) =>
    view.getUint32(FACTS_HEADER_BYTES + index * FACTS_DECISION_BYTES + 8),
  );
}

/** The steps of a path. */
export function decodeDecisionPath(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4));
}
