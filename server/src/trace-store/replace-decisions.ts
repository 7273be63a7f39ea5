import { hash } from "node:crypto";
import type { DecisionPointType } from "@whytrace/contract";
import { DECISION_POINT, type ParsedDecisionPoint, type ParsedTrace } from "@whytrace/contract";
import { sql } from "kysely";
import { textList } from "../db/text-list.ts";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import type { MergeContext } from "./merge-context.ts";
import { jsonFields } from "./record-columns.ts";
import type { StoredDecision } from "./stored-pieces.ts";

const HASH_BYTES = 8;
const JSON_FIELDS = new Set(jsonFields(DECISION_POINT.fields));

/**
 * Makes the stored decision points of a trace those that were derived from its spans; posted ones stay. Only what differs
 * is written, from position `nextPosition` on. Returns how many decision points the trace has and the next position.
 */
export async function replaceDecisions(
  { trx, tenant, rows, user }: MergeContext,
  trace: Pick<ParsedTrace, "id" | "name" | "decisionPoints">,
  stored: ReadonlyMap<string, StoredDecision>,
  nextPosition: number,
): Promise<{ count: number; nextPosition: number }> {
  const isPosted = (id: string) => stored.get(id)?.hash === null;
  const decisions = trace.decisionPoints
    .filter(({ id }) => !isPosted(id))
    .map((decision) => ({ decision, hash: decisionHash(trace.name, decision) }));
  // The decisions of a span are written together, so that they stay in their order.
  const changedSpans = new Set(
    decisions
      .filter((one) => !stored.get(one.decision.id)?.hash?.equals(one.hash))
      .map(({ decision }) => decision.parentSpanId),
  );
  const written = decisions.filter(({ decision }) => changedSpans.has(decision.parentSpanId));
  const kept = new Set(decisions.map(({ decision }) => decision.id));
  for (const { decision } of written) kept.delete(decision.id);
  const outdated = [...stored.keys()].filter((id) => !isPosted(id) && !kept.has(id));
  if (outdated.length > 0) {
    const { rows: deleted } = await sql<{ type: DecisionPointType }>`/* prepared */
      delete from decision_points
      where user_id = ${tenant.userId} and trace_id = ${trace.id} and id = any(${textList(outdated)})
      returning type`.execute(trx);
    for (const { type } of deleted) tenant.totalsChange[type] -= 1;
  }
  for (const [index, { decision, hash }] of written.entries()) {
    rows.addDecisionPoint(user, trace, nextPosition + index, decision, hash);
    tenant.totalsChange[decision.type] += 1;
  }
  return {
    count: stored.size - outdated.length + written.length,
    nextPosition: nextPosition + written.length,
  };
}

/** A hash of everything that the row of a decision point is made of. */
function decisionHash(traceName: string, decision: ParsedDecisionPoint): Buffer {
  const values = Object.entries(decision).map(([name, value]) => {
    const bytes = JSON_FIELDS.has(name) ? payloadBytes(value) : null;
    return [name, bytes ? Buffer.from(bytes).toString() : value];
  });
  return hash("sha1", JSON.stringify([traceName, ...values]), "buffer").subarray(0, HASH_BYTES);
}
