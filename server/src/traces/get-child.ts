import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { copyOut } from "../db/copy-out.ts";
import { snapshotOn } from "../db/transaction.ts";
import { ChunkWriter } from "../http/chunk-writer.ts";
import { isPackedKind } from "../payloads/packed-fields.ts";
import { directoriesQuery, findPart, partQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import { recordsQuery, writeRecord } from "./stored-record.ts";

const MAX_ATTEMPTS = 3;
const CLOSED_OBJECT = Buffer.from("}");

interface WantedChild {
  kind: ChildKind;
  id: string;
  /** When the trace was stored first, as PostgreSQL writes it: a later trace with the same id is another one. */
  storedAt?: string;
}

/** Returns one span, decision point or event with its payloads, as JSON; undefined if the user has no such record. */
export async function getChild(
  client: pg.PoolClient,
  userId: string,
  traceId: string,
  { kind, id, storedAt }: WantedChild,
): Promise<Buffer[] | undefined> {
  const isStoredAt =
    storedAt === undefined
      ? sql``
      : sql`and exists (
          select from traces where user_id = ${userId} and id = ${traceId} and created_at = ${storedAt}::timestamptz)`;
  const query = recordsQuery(
    kind,
    "whole",
    sql`user_id = ${userId} and trace_id = ${traceId} and stored.id = ${id} ${isStoredAt}`,
  );
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [[row], directories] = await snapshotOn(client, () =>
      Promise.all([
        copyOut(client, query),
        isPackedKind(kind) ? copyOut(client, directoriesQuery(userId, traceId)) : [],
      ]),
    );
    if (!row) return undefined;
    const position = row[1]?.readInt32BE();
    const part = position === undefined ? undefined : findPart(directories, kind, position);
    const pieces =
      part && !part[2] ? await copyOut(client, partQuery(userId, traceId, part)) : part && [part];
    // The trace was replaced between the two reads.
    if (part?.[1] && !pieces?.[0]?.[1]?.equals(part[1])) continue;
    const json = new ChunkWriter();
    await writeRecord(json, kind, "whole", row, new TracePayloads(pieces ?? []));
    json.write(CLOSED_OBJECT);
    return json.take();
  }
  throw new Error("The trace was replaced during every attempt to read it");
}
