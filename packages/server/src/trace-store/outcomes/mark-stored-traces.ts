import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isPlaced, type MarkedTrace, markDecisions, markRun } from "../../outcomes/mark-decisions.ts";
import { encodeMarks, type Marks } from "../../outcomes/marks.ts";
import type { JudgedTrace } from "./judge-stored-traces.ts";

/** Finds the marks of judged traces, by id. Reads spans, decisions and events only where a reason names one. */
export async function markStoredTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  judged: readonly JudgedTrace[],
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const bad = judged.filter(
    ({ row, judgement }) => judgement.outcome === "bad" && row.decisionPointCount > 0,
  );
  const placed = bad.filter(({ row, judgement }) => isPlaced(judgement.reasons, row));
  const placesOf = await readPlaces(
    trx,
    workspaceId,
    placed.map(({ row }) => row.id),
  );
  return new Map(
    bad.map(({ row: { id }, judgement: { reasons } }) => {
      const places = placesOf(id);
      const marks: Marks = places ? markDecisions(places, reasons) : markRun(reasons);
      return [id, encodeMarks(marks)];
    }),
  );
}

type InTrace<Row> = Row & { traceId: string };

const ms = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::bigint as ${column}`);

async function readPlaces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<(id: string) => MarkedTrace | undefined> {
  if (ids.length === 0) return () => undefined;
  const ofTraces = sql`workspace_id = ${workspaceId} and trace_id = any(${textList(ids)})`;
  const [spans, decisions, events] = await Promise.all([
    sql<InTrace<MarkedTrace["spans"][number]>>`
      select trace_id, id, parent_span_id, type, duration_ms, ${ms("started_at")}, ${ms("ended_at")}
      from spans where ${ofTraces} order by trace_id, position`.execute(trx),
    sql<InTrace<MarkedTrace["decisionPoints"][number]>>`
      select trace_id, id, parent_span_id, position, ${ms("timestamp")}
      from decision_points where ${ofTraces} order by trace_id, position`.execute(trx),
    sql<InTrace<MarkedTrace["events"][number]>>`
      select trace_id, id, span_id, ${ms("timestamp")} from events where ${ofTraces} order by trace_id, position`.execute(
      trx,
    ),
  ]);
  const byTrace = <Row extends { traceId: string }>(rows: Row[]) =>
    Map.groupBy(rows, ({ traceId }) => traceId);
  const [spansOf, decisionsOf, eventsOf] = [
    byTrace(spans.rows),
    byTrace(decisions.rows),
    byTrace(events.rows),
  ];
  const isRead = new Set(ids);
  return (id) =>
    isRead.has(id)
      ? {
          spans: spansOf.get(id) ?? [],
          decisionPoints: decisionsOf.get(id) ?? [],
          events: eventsOf.get(id) ?? [],
        }
      : undefined;
}
