import type { FastifyReply } from "fastify";
import type pg from "pg";
import type { FairDatabase } from "../db/fair-database.ts";
import { HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream, type WatchPermission } from "../http/send-stream.ts";
import { JSON_TYPE } from "../http/write-json.ts";

export interface StoredRecord {
  heldBytes: number;
  chunks(): Iterable<Buffer[]> | AsyncIterable<Buffer[]>;
}

export interface SentRecord {
  reads: FairDatabase;
  budget: ReadBudget;
  userId: string;
  /** Whose turn and share of the memory the response takes: the user, or those who open the user's links. */
  caller?: string;
  permission: WatchPermission;
  notFound: string;
  read: (client: pg.PoolClient) => Promise<StoredRecord | undefined>;
}

/** Sends a trace or a record of it. It is read when the response has room for it. */
export function sendRecord(
  reply: FastifyReply,
  { reads, budget, userId, caller = userId, permission, notFound, read }: SentRecord,
): Promise<FastifyReply> {
  let heldBytes = 0;
  async function* chunks() {
    const record = await reads.run(userId, (_db, client) => read(client), { caller });
    if (record === undefined) throw new HttpError(404, notFound);
    heldBytes = record.heldBytes;
    yield* record.chunks();
  }
  return sendStream(reply, {
    contentType: JSON_TYPE,
    budget,
    userId: caller,
    permission,
    chunks: chunks(),
    heldBytes: () => heldBytes,
  });
}
