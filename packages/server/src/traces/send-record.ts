import type { FastifyReply } from "fastify";
import { HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream, type WatchPermission } from "../http/send-stream.ts";
import { JSON_TYPE } from "../http/write-json.ts";

export interface StoredRecord {
  /** Bytes in memory beside the chunk that was yielded last. */
  readonly heldBytes: number;
  chunks(): Iterable<Buffer[]> | AsyncIterable<Buffer[]>;
}

interface SentRecord {
  budget: ReadBudget;
  caller: string;
  permission: WatchPermission;
  notFound: string;
  read: () => Promise<StoredRecord | undefined>;
}

/** Sends a trace or a record of it. It is read when the response has room for it. */
export function sendRecord(
  reply: FastifyReply,
  { budget, caller, permission, notFound, read }: SentRecord,
): Promise<FastifyReply> {
  let record: StoredRecord | undefined;
  async function* chunks() {
    record = await read();
    if (record === undefined) throw new HttpError(404, notFound);
    yield* record.chunks();
  }
  return sendStream(reply, {
    contentType: JSON_TYPE,
    budget,
    caller,
    permission,
    chunks: chunks(),
    heldBytes: () => record?.heldBytes ?? 0,
  });
}
