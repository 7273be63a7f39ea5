import type { ServerResponse } from "node:http";
import { setImmediate as nextEventLoopIteration, setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { ReadBudget } from "./read-budget.ts";

/** A client must take this much within `STALL_TIMEOUT_MS`. */
const SLICE_BYTES = 64 * 1024;
const STALL_TIMEOUT_MS = 30_000;
/**
 * A response whose first chunk has so many bytes closes its connection. The client's system grows the buffer of a connection while it
 * receives: a later response would lie there whole, with nothing left to cut when its permission ends.
 */
const LONG_RESPONSE_BYTES = 256 * 1024;
/** How long a response that has begun waits for memory that other clients hold. */
const MAX_PAUSE_MS = 120_000;

/** Calls `end` when what permits a response has ended; returns a function that ends the watch. */
export type WatchPermission = (end: () => void) => () => void;

export interface Streamed {
  contentType: string;
  headers?: Readonly<Record<string, string>>;
  budget: ReadBudget;
  /** Whose share of memory and bytes the response takes: a workspace, or those who open its links. */
  caller: string;
  /** What permits the response may end while a slow client reads: it is cut then. */
  permission: WatchPermission;
  /** Each chunk is a list of pieces. */
  chunks: AsyncGenerator<Buffer[]>;
  /** Bytes that the generator of the chunks holds in memory. */
  heldBytes?: () => number;
}

/**
 * Sends chunks as they are read. The next chunk is read when the client has taken the last one, so memory holds one chunk.
 * A client that takes nothing for 30 s is disconnected, and one whose permission ends. A workspace that has read a lot in
 * a short time reads on more slowly. An error before the first chunk becomes an error response; a later one cuts the
 * connection, so that the client does not take the part for the whole.
 */
export async function sendStream(reply: FastifyReply, streamed: Streamed): Promise<FastifyReply> {
  const { contentType, headers = {}, budget, caller, permission, chunks, heldBytes = () => 0 } = streamed;
  reply.type(contentType).headers(headers);
  const hold = budget.memory.open(caller);
  const { raw } = reply;
  const stopWatching = permission(() => raw.destroy());
  const writeChunk = async (pieces: Buffer[]) => {
    let bytes = sumBytes(pieces);
    let writtenBytes = 0;
    hold.resize(bytes + heldBytes());
    budget.countBytes(caller, bytes);
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      if (!(await write(raw, piece))) return false;
      bytes -= piece.length;
      hold.resize(bytes + heldBytes());
      writtenBytes += piece.length;
      if (writtenBytes < SLICE_BYTES) continue;
      await nextEventLoopIteration();
      writtenBytes = 0;
    }
    return true;
  };
  try {
    await hold.waitForRoom();
    let next = await chunks.next();
    if (reply.request.method === "HEAD") return reply.send();
    if (!next.done && sumBytes(next.value) >= LONG_RESPONSE_BYTES) reply.header("connection", "close");
    reply.hijack();
    raw.writeHead(200, definedHeaders(reply));
    let resumedAt = performance.now();
    for (; !next.done; next = await chunks.next()) {
      if (!(await writeChunk(next.value))) return reply;
      const pauseMs = budget.pauseMs(caller, performance.now() - resumedAt);
      if (pauseMs > 0) {
        await sleep(pauseMs);
        resumedAt = performance.now();
      }
      await hold.waitForRoom(MAX_PAUSE_MS);
    }
    raw.end();
  } catch (error) {
    if (!reply.sent) throw error;
    reply.log.warn({ err: error }, "a streamed response was cut");
    raw.destroy();
  } finally {
    stopWatching();
    hold.close();
    await chunks.return(undefined);
  }
  return reply;
}

const sumBytes = (pieces: Buffer[]) => pieces.reduce((sum, piece) => sum + piece.length, 0);

function definedHeaders(reply: FastifyReply): Record<string, number | string | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/**
 * Writes bytes slice by slice; returns false if the client left or stopped reading. Other requests run between two slices, as
 * between small pieces of as many bytes: the system takes megabytes at once for a client that reads fast.
 */
async function write(raw: ServerResponse, bytes: Buffer): Promise<boolean> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    if (start > 0) await nextEventLoopIteration();
    if (raw.destroyed) return false;
    if (raw.write(bytes.subarray(start, start + SLICE_BYTES))) continue;
    if (!(await isDrained(raw))) {
      raw.destroy();
      return false;
    }
  }
  return true;
}

/** Resolves to false if the client left or took nothing for `STALL_TIMEOUT_MS`. */
function isDrained(raw: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => {
      clearTimeout(timeout);
      raw.off("drain", onDrain).off("close", onClose);
      resolve(isDrained);
    };
    const onDrain = () => end(true);
    const onClose = () => end(false);
    const timeout = setTimeout(onClose, STALL_TIMEOUT_MS);
    raw.once("drain", onDrain).once("close", onClose);
  });
}
