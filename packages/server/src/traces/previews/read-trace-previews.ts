import type { TracePreview } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { payloadBeginnings } from "../../payloads/payload-beginnings.ts";
import { answerText, requestText } from "./request-text.ts";

/** What rows of a list can show of the contents of a trace. */
export const PREVIEW_FIELDS = ["error", "input", "output"] as const;
type PreviewField = (typeof PREVIEW_FIELDS)[number];

const MAX_ERROR_LENGTH = 200;
/** Finding the first and last spans of a trace takes a scan of all its spans, and so does finding the failed ones. */
const MAX_SPANS = 2_000;
const MAX_SCANNED = 20_000;
/** Enough for a system prompt before the user's message. */
const MAX_PAYLOAD_BYTES = 16_000;
/** How many spans are looked at for one with an input or output. */
const MAX_CANDIDATES = 20;

interface WantedPreviews {
  fields: readonly PreviewField[];
  /** Longer inputs and outputs are cut off. */
  length: number;
}

/** Reads of each trace its last error, what it was asked and what it answered: only the fields that are wanted. */
export async function readTracePreviews(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  { fields, length }: WantedPreviews,
): Promise<TracePreview[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; spanCount: number; hasError: boolean }>`
    select id, span_count, (error_count > 0 or event_count > 0) and span_count + event_count <= ${MAX_SCANNED} as has_error
    from traces
    where workspace_id = ${workspaceId} and id = any(${textList(ids)})
    order by array_position(${textList(ids)}, id collate "C")`.execute(db);
  const listed = rows.map(({ id }) => id);
  const read = rows.filter(({ spanCount }) => spanCount <= MAX_SPANS).map(({ id }) => id);
  const failed = rows.filter(({ hasError }) => hasError).map(({ id }) => id);
  const errors = fields.includes("error") ? await readErrors(db, workspaceId, failed) : undefined;
  const inputs = fields.includes("input") ? await readBeginnings(db, workspaceId, read, "input") : undefined;
  const outputs = fields.includes("output")
    ? await readBeginnings(db, workspaceId, read, "output")
    : undefined;
  return listed.map((id) => ({
    id,
    error: errors?.get(id) ?? null,
    input: requestText(inputs?.get(id) ?? null, "any value", length),
    output: answerText(outputs?.get(id) ?? null, length),
  }));
}

type ErrorText = NonNullable<TracePreview["error"]>;

/** A span fails after those inside it have started: the failed one that started last is where the error came from. */
async function readErrors(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<Map<string, ErrorText>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ErrorText & { traceId: string }>`
    select listed.id as trace_id, error.name, error.message
    from unnest(${textList(ids)}) as listed (id), lateral (
      select name, message from (
        (select name, left(status_message, ${MAX_ERROR_LENGTH}) as message, started_at as at, 0 as rank from spans
        where workspace_id = ${workspaceId} and trace_id = listed.id and status = 'ERROR'
        order by started_at desc, position desc limit 1)
        union all
        (select name, null, timestamp, 1 from events
        where workspace_id = ${workspaceId} and trace_id = listed.id and type = 'ERROR'
        order by timestamp desc, position desc limit 1)
      ) as found
      order by rank limit 1
    ) as error`.execute(db);
  return new Map(rows.map(({ traceId, ...error }) => [traceId, error]));
}

/** Of the spans without a parent, then of the others: the first input, the last output. */
async function readBeginnings(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  field: "input" | "output",
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const order =
    field === "input"
      ? sql`parent_span_id is not null, started_at, position`
      : sql`parent_span_id is not null, started_at desc, position desc`;
  const { rows } = await sql<{ traceId: string; positions: number[] | null }>`
    select listed.id as trace_id, candidates.positions
    from unnest(${textList(ids)}) as listed (id), lateral (
      select array_agg(position order by ${order}) as positions from (
        select position, parent_span_id, started_at from spans
        where workspace_id = ${workspaceId} and trace_id = listed.id
        order by ${order} limit ${MAX_CANDIDATES}
      ) as earliest
    ) as candidates`.execute(db);
  const candidates = rows.map(({ traceId, positions }) => ({ traceId, positions: positions ?? [] }));
  return payloadBeginnings(db, workspaceId, field, candidates, MAX_PAYLOAD_BYTES);
}
