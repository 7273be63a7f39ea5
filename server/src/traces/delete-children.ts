import type { DecisionPointType } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import type { TraceManifest } from "./trace-manifest.ts";

/** Removes what is inside traces; returns the types of the decision points that went, one by one. */
export async function deleteChildren(
  trx: Database,
  userId: string,
  traceIds: string[],
): Promise<DecisionPointType[]> {
  const ids = textList(traceIds);
  await sql`delete from spans where user_id = ${userId} and trace_id = any(${ids})`.execute(trx);
  await sql`delete from events where user_id = ${userId} and trace_id = any(${ids})`.execute(trx);
  const { rows } = await sql<{ type: DecisionPointType }>`
    delete from decision_points where user_id = ${userId} and trace_id = any(${ids}) returning type`.execute(
    trx,
  );
  return rows.map((row) => row.type);
}

/** Removes only those of compared traces that are no longer what was sent; returns the same. */
export async function deleteChildrenAt(
  trx: Database,
  userId: string,
  compared: { id: string; manifest: TraceManifest }[],
): Promise<DecisionPointType[]> {
  const gone: DecisionPointType[] = [];
  for (const { id, manifest } of compared) {
    const at = (positions: number[]) =>
      sql`user_id = ${userId} and trace_id = ${id} and position = any(${positions}::integer[])`;
    const spans = manifest.outdated("spans");
    if (spans.length > 0) await sql`delete from spans where ${at(spans)}`.execute(trx);
    const events = manifest.outdated("events");
    if (events.length > 0) await sql`delete from events where ${at(events)}`.execute(trx);
    const decisionPoints = manifest.outdated("decisionPoints");
    if (decisionPoints.length === 0) continue;
    const { rows } = await sql<{ type: DecisionPointType }>`
      delete from decision_points where ${at(decisionPoints)} returning type`.execute(trx);
    gone.push(...rows.map((row) => row.type));
  }
  return gone;
}
