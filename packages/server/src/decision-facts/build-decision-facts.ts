import { hash32 } from "@whytrace/contract";
import type { DecidedTrace } from "./decided-trace.ts";
import {
  type DecisionFact,
  type DecisionFacts,
  MAX_FACTS_DECISIONS,
  MAX_FACTS_FINGERPRINTS,
} from "./decision-facts.ts";
import { errorFingerprint } from "./error-fingerprint.ts";
import { followedBy } from "./outcome.ts";
import { isReactionType } from "./reaction.ts";
import { releaseOf } from "./release.ts";
import { type SignedTrace, signTrace } from "./sign-trace.ts";
import { turnErrors } from "./turn-errors.ts";
import { walkDecisions } from "./walk-decisions.ts";

/** Returns null for a trace without decisions: it has no facts. */
export function buildDecisionFacts(trace: DecidedTrace): DecisionFacts | null {
  if (trace.decisionPoints.length === 0) return null;
  const signed = signTrace(trace);
  const { kinds, messageKind } = turnErrors(signed);
  const release = releaseOf(trace);
  return {
    release: release === null ? 0 : hash32(release),
    cluster: clusterOf(trace),
    messageKind,
    decisions: buildDecisions(signed, kinds),
    fingerprints: fingerprintsOf(trace),
  };
}

/** A user and a session of the same name are two. */
function clusterOf({ sessionId, userId }: DecidedTrace): number {
  if (sessionId) return hash32(sessionId);
  return userId ? hash32(`user\n${userId}`) : 0;
}

function buildDecisions(signedTrace: SignedTrace, kinds: Uint32Array): DecisionFact[] {
  const { trace, tree, ranges, scopes, signed, turns } = signedTrace;
  const followed = followedBy(signedTrace);
  const decisions: DecisionFact[] = [];
  let before: { turn: number; signature: number; scope: number; hasError: boolean } | undefined;
  for (const index of walkDecisions(trace, tree)) {
    const decision = trace.decisionPoints[index];
    const after = followed[index];
    const { signature, step } = signed[index] ?? {};
    const [turn, scope] = [turns[index], scopes[index]];
    if (!decision || !after || signature === undefined || step === undefined) continue;
    if (turn === undefined || scope === undefined || decisions.length === MAX_FACTS_DECISIONS) continue;
    const isSameTurn = before?.turn === turn && before.signature === signature;
    const hasErrorBefore = before?.hasError === true && ranges.contains(scope, before.scope);
    const errorKind = kinds[index] ?? 0;
    decisions.push({
      signature,
      step,
      type: decision.type,
      position: Math.min(decision.position ?? index, MAX_FACTS_DECISIONS),
      ...after,
      isSameTurn,
      isReaction: isSameTurn
        ? (decisions.at(-1)?.isReaction ?? false)
        : hasErrorBefore || isReactionType(decision.type),
      isOffered: decision.inference?.alternativesKnown ?? (signed[index]?.options.length ?? 0) > 1,
      errorKind,
      drawn: decision.probability ?? 0,
    });
    before = {
      turn,
      signature,
      scope,
      hasError: errorKind !== 0 || (isSameTurn && before?.hasError === true),
    };
  }
  return decisions;
}

function fingerprintsOf({ spans, events }: DecidedTrace): number[] {
  const errors: { at: number; fingerprint: number }[] = [];
  for (const { status, name, statusMessage, startedAt } of spans)
    if (status === "ERROR")
      errors.push({ at: startedAt, fingerprint: errorFingerprint(name, statusMessage) });
  for (const { type, name, timestamp } of events)
    if (type === "ERROR") errors.push({ at: timestamp, fingerprint: errorFingerprint(name, null) });
  errors.sort((a, b) => a.at - b.at || a.fingerprint - b.fingerprint);
  return [...new Set(errors.map(({ fingerprint }) => fingerprint))].slice(0, MAX_FACTS_FINGERPRINTS);
}
