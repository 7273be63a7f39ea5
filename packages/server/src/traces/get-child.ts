import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { copyOut } from "../db/copy/copy-out.ts";
import { snapshotOn } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { ChunkWriter } from "../http/chunk-writer.ts";
import { hasPayloadParts } from "../payloads/packed-fields.ts";
import { directoriesQuery, findPart, readPart, TracePayloads } from "../payloads/trace-payloads.ts";
import { recordsQuery, writeRecord } from "./stored-record.ts";

const MAX_ATTEMPTS = 3;
const CLOSED_OBJECT = Buffer.from("}");

interface WantedChild {
  kind: ChildKind;
  id: string;
  /** When the trace was stored first, as PostgreSQL writes it: a later trace with the same id is another one. */
  storedAt?: string;
}

/** Returns one span, decision point or event with its payloads, as JSON; undefined if the workspace has no such record. */
export async function getChild(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceId: string,
  { kind, id, storedAt }: WantedChild,
): Promise<Buffer[] | undefined> {
  const isStoredAt =
    storedAt === undefined
      ? sql``
      : sql`and exists (
          select from traces where workspace_id = ${workspaceId} and id = ${traceId} and created_at = ${storedAt}::timestamptz)`;
  const query = recordsQuery(
    kind,
    "whole",
    sql`workspace_id = ${workspaceId} and trace_id = ${traceId} and stored.id = ${id} ${isStoredAt}`,
  );
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [[row], directories] = await snapshotOn(client, () =>
      Promise.all([
        copyOut(client, query),
        hasPayloadParts(kind) ? copyOut(client, directoriesQuery(workspaceId, traceId)) : [],
      ]),
    );
    if (!row) return undefined;
    const part = hasPayloadParts(kind) ? findPart(directories, kind, row[1]?.readInt32BE() ?? 0) : undefined;
    const pieces = part ? await readPart(client, workspaceId, traceId, part) : [];
    // The trace was replaced between the two reads.
    if (part?.[1] && !pieces[0]?.[1]?.equals(part[1])) continue;
    const json = new ChunkWriter();
    await writeRecord(json, kind, "whole", row, new TracePayloads(pieces));
    json.write(CLOSED_OBJECT);
    return json.take();
  }
  throw new Error("The trace was replaced during every attempt to read it");
}
