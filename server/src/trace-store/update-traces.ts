import type { ParsedTrace } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { payloadBytes } from "./encode-traces.ts";

/** Everything but id and creation time becomes what was sent. Texts go as JSON, payloads as the bytes they are. */
export async function updateTraces(trx: Database, userId: string, traces: ParsedTrace[]): Promise<void> {
  const payloads = traces.map((trace) => payloadBytes(trace.metadata));
  let end = 0;
  const sent = traces.map(({ metadata: _, spans, decisionPoints, events, ...fields }, index) => {
    const length = payloads[index]?.length;
    end += length ?? 0;
    return {
      ...fields,
      startedAt: new Date(fields.startedAt),
      endedAt: fields.endedAt === null ? null : new Date(fields.endedAt),
      metadataStart: length === undefined ? null : end - length + 1,
      metadataLength: length,
      spanCount: spans.length,
      decisionPointCount: decisionPoints.length,
      eventCount: events.length,
    };
  });
  const metadata = Buffer.concat(payloads.filter((payload) => payload !== null));
  await sql`/* prepared */
    update traces set
      name = sent.name, session_id = sent."sessionId", status = sent.status,
      tags = array(select json_array_elements_text(sent.tags)),
      metadata = convert_from(substr(${metadata}::bytea, sent."metadataStart", sent."metadataLength"), 'UTF8')::json,
      total_cost = sent."totalCost", total_tokens = sent."totalTokens", total_duration = sent."totalDuration",
      started_at = sent."startedAt", ended_at = sent."endedAt", span_count = sent."spanCount",
      decision_point_count = sent."decisionPointCount", event_count = sent."eventCount"
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent (
      id text, name text, "sessionId" text, status text, tags json, "totalCost" double precision,
      "totalTokens" double precision, "totalDuration" double precision, "startedAt" timestamptz, "endedAt" timestamptz,
      "metadataStart" integer, "metadataLength" integer, "spanCount" integer, "decisionPointCount" integer,
      "eventCount" integer)
    where traces.user_id = ${userId} and traces.id = sent.id`.execute(trx);
}
