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
  if (traceIds.length === 0) return [];
  const ids = textList(traceIds);
  const { rows } = await sql<{ type: DecisionPointType }>`/* prepared */
    with gone_spans as (delete from spans where user_id = ${userId} and trace_id = any(${ids})),
      gone_events as (delete from events where user_id = ${userId} and trace_id = any(${ids}))
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
  const gone = await Promise.all(
    compared.map(async ({ id, manifest }) => {
      const at = (positions: number[]) =>
        sql`user_id = ${userId} and trace_id = ${id} and position = any(${positions}::integer[])`;
      const [spans, events, decisionPoints] = [
        manifest.outdated("spans"),
        manifest.outdated("events"),
        manifest.outdated("decisionPoints"),
      ];
      const [decisions] = await Promise.all([
        decisionPoints.length > 0 &&
          sql<{ type: DecisionPointType }>`/* prepared */
            delete from decision_points where ${at(decisionPoints)} returning type`.execute(trx),
        spans.length > 0 && sql`/* prepared */ delete from spans where ${at(spans)}`.execute(trx),
        events.length > 0 && sql`/* prepared */ delete from events where ${at(events)}`.execute(trx),
      ]);
      return decisions ? decisions.rows.map((row) => row.type) : [];
    }),
  );
  return gone.flat();
}
