import { hash } from "node:crypto";
import { MAX_TRACE_RECORDS, type ParsedDecisionPoint, type ParsedTrace } from "@whytrace/contract";
import { noTotals, type Totals } from "../counts/totals.ts";
import type { MergeContext } from "./merge-context.ts";
import type { Merge } from "./stored-pieces.ts";

const HASH_BYTES = 8;

/** The decision points of a trace after a piece was merged. */
export interface MergedDecisions {
  count: number;
  nextPosition: number;
  /** The name of the trace by which its decision points can be found; undefined if it has none. */
  searchedName: string | undefined;
  /** The positions of the derived ones, by id. */
  positions: ReadonlyMap<string, number>;
  /** How many were added and deleted, by type. */
  totals: Totals;
}

/** The stored decision points, if the trace is derived later. */
export const storedDecisions = ({ existing, stored: { state } }: Merge): MergedDecisions => ({
  count: existing?.childCounts[1] ?? 0,
  nextPosition: state.nextDecisionPoint,
  searchedName: state.searchedName,
  positions: new Map(),
  totals: noTotals(),
});

/**
 * Makes the stored decision points of a trace those that were derived from its spans; posted ones stay. Only what differs
 * is written, from the next free position on.
 */
export function replaceDecisions(
  { rows, workspace, outdated }: MergeContext,
  { piece, stored: { state, decisions: stored } }: Merge,
  trace: Pick<ParsedTrace, "name" | "decisionPoints">,
): MergedDecisions {
  const isNamed = state.hasRoot || piece.hasRoot || piece.loggedIds === "all";
  const name = (isNamed ? undefined : state.searchedName) ?? trace.name;
  const isRenamed = name !== state.searchedName;
  const nextPosition = state.nextDecisionPoint;
  const totals = noTotals();
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
    outdated.addDecisionPoint(piece.id, id);
    totals[type] -= 1;
    deletedCount += 1;
  }
  const positions = new Map([...kept].map((id) => [id, stored.get(id)?.position ?? 0]));
  for (const [index, { decision, hash }] of written.entries()) {
    positions.set(decision.id, nextPosition + index);
    rows.addDecisionPoint(workspace, { id: piece.id, name }, nextPosition + index, decision, hash);
    totals[decision.type] += 1;
  }
  const count = stored.size - deletedCount + written.length;
  return {
    count,
    nextPosition: nextPosition + written.length,
    searchedName: count > 0 ? name : undefined,
    positions,
    totals,
  };
}

/** A hash of everything that the row of a decision point is made of, except the name of its trace. */
const decisionHash = (decision: ParsedDecisionPoint): Buffer =>
  hash("sha1", JSON.stringify(decision), "buffer").subarray(0, HASH_BYTES);
