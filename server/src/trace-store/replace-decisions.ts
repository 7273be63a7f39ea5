import { hash } from "node:crypto";
import { MAX_TRACE_RECORDS, type ParsedDecisionPoint, type ParsedTrace } from "@whytrace/contract";
import type { MergeContext } from "./merge-context.ts";
import type { StoredDecision } from "./stored-pieces.ts";

const HASH_BYTES = 8;

export interface DecisionReplacement {
  /** The derived trace, with the name by which its decision points can be found. */
  trace: Pick<ParsedTrace, "id" | "name" | "decisionPoints">;
  stored: ReadonlyMap<string, StoredDecision>;
  /** Whether the stored decision points have another name of the trace. */
  isRenamed: boolean;
  nextPosition: number;
}

/**
 * Makes the stored decision points of a trace those that were derived from its spans; posted ones stay. Only what differs
 * is written, from position `nextPosition` on. Returns how many decision points the trace has, the next position, and the
 * positions of the derived ones by id.
 */
export function replaceDecisions(
  { tenant, rows, user, outdated }: MergeContext,
  { trace, stored, isRenamed, nextPosition }: DecisionReplacement,
): { count: number; nextPosition: number; positions: Map<string, number> } {
  const isPosted = (id: string) => stored.get(id)?.hash === null;
  let room = MAX_TRACE_RECORDS;
  for (const { hash: derivedHash } of stored.values()) if (derivedHash === null) room -= 1;
  const decisions = trace.decisionPoints
    .filter(({ id }) => !isPosted(id))
    .slice(0, Math.max(0, room))
    .map((decision) => ({ decision, hash: decisionHash(decision) }));
  // The decisions of a span are written together, so that they stay in their order.
  const changedSpans = new Set(
    decisions
      .filter((one) => isRenamed || !stored.get(one.decision.id)?.hash?.equals(one.hash))
      .map(({ decision }) => decision.parentSpanId),
  );
  const written = decisions.filter(({ decision }) => changedSpans.has(decision.parentSpanId));
  const kept = new Set(decisions.map(({ decision }) => decision.id));
  for (const { decision } of written) kept.delete(decision.id);
  let deletedCount = 0;
  for (const [id, { type }] of stored) {
    if (isPosted(id) || kept.has(id)) continue;
    outdated.addDecisionPoint(trace.id, id);
    tenant.totalsChange[type] -= 1;
    deletedCount += 1;
  }
  const positions = new Map([...kept].map((id) => [id, stored.get(id)?.position ?? 0]));
  for (const [index, { decision, hash }] of written.entries()) {
    positions.set(decision.id, nextPosition + index);
    rows.addDecisionPoint(user, trace, nextPosition + index, decision, hash);
    tenant.totalsChange[decision.type] += 1;
  }
  return {
    count: stored.size - deletedCount + written.length,
    nextPosition: nextPosition + written.length,
    positions,
  };
}

/** A hash of everything that the row of a decision point is made of, except the name of its trace. */
const decisionHash = (decision: ParsedDecisionPoint): Buffer =>
  hash("sha1", JSON.stringify(decision), "buffer").subarray(0, HASH_BYTES);
