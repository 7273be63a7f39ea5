import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { PACKED_FIELDS } from "./packed-fields.ts";
import { decodeDirectory, type PackedChild } from "./payload-directory.ts";
import { decompressBeginning } from "./zstd.ts";

/** Compressed. What is larger is not read. */
const MAX_PART_BYTES = 64 * 1024;

/** The spans of a trace in the order in which they are looked at. */
interface CandidateSpans {
  traceId: string;
  positions: number[];
}

interface Found {
  traceId: string;
  part: number;
  start: number;
  length: number;
}

/** Returns by trace the beginning of the input or output of its first candidate that has one. */
export async function payloadBeginnings(
  db: Database,
  workspaceId: WorkspaceId,
  field: "input" | "output",
  candidates: CandidateSpans[],
  maxBytes: number,
): Promise<Map<string, string>> {
  const found = await findPayloads(db, workspaceId, PACKED_FIELDS.spans.indexOf(field), candidates);
  if (found.length === 0) return new Map();
  const { rows } = await sql<{ traceId: string; bytes: Buffer }>`
    select payloads.trace_id, bytes from trace_payloads as payloads
    join json_to_recordset(${JSON.stringify(found)}::json) as found ("traceId" text, part integer)
      on payloads.trace_id = found."traceId" and payloads.part = found.part
    where payloads.workspace_id = ${workspaceId} and length(bytes) <= ${MAX_PART_BYTES}`.execute(db);
  const frames = new Map(rows.map((row) => [row.traceId, row.bytes]));
  const beginnings = new Map<string, string>();
  for (const { traceId, start, length } of found) {
    const frame = frames.get(traceId);
    if (!frame) continue;
    const content = await decompressBeginning(frame, start + Math.min(length, maxBytes));
    beginnings.set(traceId, content.toString("utf8", start));
  }
  return beginnings;
}

async function findPayloads(
  db: Database,
  workspaceId: WorkspaceId,
  field: number,
  candidates: CandidateSpans[],
): Promise<Found[]> {
  const ids = candidates.filter(({ positions }) => positions.length > 0).map(({ traceId }) => traceId);
  if (ids.length === 0) return [];
  const { rows } = await sql<{ traceId: string; part: number; directory: Buffer }>`
    select trace_id, part, directory from trace_payloads
    where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)}) order by trace_id, part`.execute(
    db,
  );
  const partsByTrace = Map.groupBy(rows, ({ traceId }) => traceId);
  return candidates.flatMap(({ traceId, positions }) => {
    const spans = new Map<number, PackedChild & { part: number }>();
    for (const { part, directory } of partsByTrace.get(traceId) ?? [])
      for (const child of decodeDirectory(directory).children)
        if (child.kind === "spans") spans.set(child.position, { ...child, part });
    for (const position of positions) {
      const span = spans.get(position);
      const length = span?.lengths[field];
      if (!span || typeof length !== "number") continue;
      const before = span.lengths.slice(0, field).reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
      return { traceId, part: span.part, start: span.start + before, length };
    }
    return [];
  });
}
