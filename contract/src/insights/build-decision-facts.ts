import type { DecidedTrace } from "./decided-trace.ts";
import {
  type DecisionFact,
  type DecisionFacts,
  MAX_FACTS_DECISIONS,
  MAX_FACTS_FINGERPRINTS,
} from "./decision-facts.ts";
import { errorFingerprint } from "./error-fingerprint.ts";
import { hash32 } from "./hash53.ts";
import { followedBy } from "./outcome.ts";
import { releaseOf } from "./release.ts";
import { signDecision } from "./sign-decision.ts";
import { SpanTree } from "./span-tree.ts";
import { walkDecisions } from "./walk-decisions.ts";

/** Returns null for a trace without decisions: it has no facts. */
export function buildDecisionFacts(trace: DecidedTrace): DecisionFacts | null {
  if (trace.decisionPoints.length === 0) return null;
  const tree = new SpanTree(trace.spans);
  const followed = followedBy(trace, tree);
  const decisions: DecisionFact[] = [];
  for (const index of walkDecisions(trace, tree)) {
    const decision = trace.decisionPoints[index];
    const after = followed[index];
    if (!decision || !after || decisions.length === MAX_FACTS_DECISIONS) continue;
    const { signature, step } = signDecision(decision);
    const position = Math.min(decision.position ?? index, MAX_FACTS_DECISIONS);
    decisions.push({ signature, step, type: decision.type, position, ...after });
  }
  const release = releaseOf(trace.tags);
  return {
    release: release === null ? 0 : hash32(release),
    decisions,
    fingerprints: fingerprintsOf(trace),
  };
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
