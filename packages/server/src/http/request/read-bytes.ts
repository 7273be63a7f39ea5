import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { BufferPool } from "../../concurrency/buffer-pool.ts";
import type { ByteHold } from "../../concurrency/byte-budget.ts";
import { Overloaded } from "../../concurrency/overloaded.ts";
import { HttpError } from "../http-error.ts";

const buffers = new BufferPool(32 * 1024 * 1024);

/** Without the time in which the server did not read. */
const READ_TIMEOUT_MS = 30_000;
const MIB = 1024 * 1024;
const MIN_RETRY_MS = 1_000;
/** A client must send at least this much in each interval, until the body is complete. */
const MIN_BYTES = 80 * 1024;
const MIN_BYTES_INTERVAL_MS = 5_000;
/** The buffer grows with what arrives: what a client announces costs nothing. */
const FIRST_BUFFER_BYTES = 256 * 1024;
/** How long the rest of a rejected body is read and discarded, so that the client can read the response. */
const DISCARD_TIMEOUT_MS = 5_000;

/** Maps a body, which is a view, to the pooled buffer behind it. */
const pooledBuffers = new WeakMap<Buffer, NonSharedBuffer>();

/**
 * Returns the buffer of a body from `readBytes` to the pool. The caller must hold no view of the body. `moved` is its memory
 * if the body was sent to a thread and back.
 */
export function releaseBytes(body: Buffer, moved?: ArrayBuffer) {
  const buffer = pooledBuffers.get(body);
  if (!buffer) return;
  pooledBuffers.delete(body);
  buffers.release(moved ? Buffer.from(moved) : buffer);
}

/** What a gzip stream gives at once. */
const INFLATED_CHUNK_BYTES = 64 * 1024;

export interface BodyFormat {
  /** Limits both the compressed and the decompressed size. */
  maxBytes: number;
  /** The error for a body that cannot be decompressed. */
  invalidText: string;
  /** Is called with what a body had when it was decompressed, as far as it was: whoever is refused has cost that. */
  onInflated?(bytes: number): void;
  /** Is asked again as a body grows: many that came at once were admitted before any of them had counted. */
  admit?(): Promise<void>;
}

/**
 * Reads the whole body and decompresses it. `hold` counts the bytes as they arrive; while it has no room, the rest of
 * the body waits in the network.
 */
export async function readBytes(
  request: FastifyRequest,
  hold: ByteHold,
  format: BodyFormat,
): Promise<NonSharedBuffer> {
  const { maxBytes } = format;
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new HttpError(415, "Content-Encoding must be gzip or identity");
  await hold.waitForRoom();
  const received = await receive(request.raw, hold, Number(request.headers["content-length"]), maxBytes);
  if (encoding === "identity") return received;
  const decompressed = await gunzipWithin(received, hold, format);
  releaseBytes(received);
  if (!decompressed) throw tooLarge(request.raw, maxBytes);
  hold.resize(decompressed.length);
  return decompressed;
}

/** Decompresses piece by piece, as there is room for it. Returns undefined if the result is larger than `maxBytes`. */
async function gunzipWithin(
  compressed: Buffer,
  hold: ByteHold,
  { maxBytes, invalidText, onInflated, admit }: BodyFormat,
): Promise<NonSharedBuffer | undefined> {
  // gzip ends with the decompressed size. A client may lie about it, or send several members.
  const stated = compressed.length < 4 ? 0 : compressed.readUInt32LE(compressed.length - 4);
  const firstBytes = Math.min(Math.max(stated, 1), FIRST_BUFFER_BYTES, maxBytes);
  await hold.reserve(firstBytes);
  let reservedBytes = firstBytes;
  let buffer = buffers.acquire(firstBytes);
  let length = 0;
  const inflater = createGunzip({ chunkSize: INFLATED_CHUNK_BYTES });
  inflater.end(compressed);
  let isWhole = false;
  try {
    // The stream pauses while a piece waits for room.
    for await (const chunk of inflater) {
      if (length + chunk.length > maxBytes) return undefined;
      if (length + chunk.length > buffer.length) {
        const nextBytes = Math.min(maxBytes, Math.max(2 * buffer.length, length + chunk.length));
        await admit?.();
        await hold.reserve(nextBytes);
        const larger = buffers.acquire(nextBytes);
        buffer.copy(larger, 0, 0, length);
        buffers.release(buffer);
        hold.add(-reservedBytes);
        reservedBytes = nextBytes;
        buffer = larger;
      }
      length += chunk.copy(buffer, length);
    }
    await admit?.();
    isWhole = true;
  } catch (error) {
    throw error instanceof Overloaded || error instanceof HttpError ? error : new HttpError(400, invalidText);
  } finally {
    onInflated?.(length);
    if (!isWhole) buffers.release(buffer);
  }
  const decompressed = buffer.subarray(0, length);
  pooledBuffers.set(decompressed, buffer);
  return decompressed;
}

/** Discards the rest of the body instead of closing the socket: closing at once could lose the response. */
export function tooLarge(raw: IncomingMessage, maxBytes: number): HttpError {
  discard(raw);
  return new HttpError(413, `Request body too large (max ${maxBytes / MIB}MB)`);
}

/** Reads the rest of a body for nobody. */
export function discard(raw: IncomingMessage) {
  raw.resume();
  const timeout = setTimeout(() => raw.complete || raw.destroy(), DISCARD_TIMEOUT_MS).unref();
  raw.once("close", () => clearTimeout(timeout));
}

function receive(
  body: IncomingMessage,
  hold: ByteHold,
  contentLength: number,
  maxBytes: number,
): Promise<NonSharedBuffer> {
  return new Promise((resolve, reject) => {
    const expectedBytes = Math.min(contentLength || maxBytes, maxBytes);
    let buffer = buffers.acquire(Math.min(contentLength || 16_384, FIRST_BUFFER_BYTES));
    let length = 0;
    let lengthBefore = 0;
    let isEnded = false;
    const fail = (error: unknown) => end(() => reject(error));
    const tooSlow = () => {
      discard(body);
      fail(new HttpError(408, "Request body took too long to arrive"));
    };
    /** How long the client had to wait for the server since the timeout began. */
    let waitedMs = 0;
    const onTimeout = () => {
      if (!body.isPaused() && waitedMs === 0) return tooSlow();
      timeout = setTimeout(onTimeout, Math.max(waitedMs, MIN_RETRY_MS));
      waitedMs = 0;
    };
    let timeout = setTimeout(onTimeout, READ_TIMEOUT_MS);
    const rateCheck = setInterval(() => {
      if (!body.isPaused() && length - lengthBefore < MIN_BYTES) tooSlow();
      lengthBefore = length;
    }, MIN_BYTES_INTERVAL_MS);
    const end = (resolveOrReject: () => void) => {
      isEnded = true;
      clearTimeout(timeout);
      clearInterval(rateCheck);
      body.removeAllListeners("data");
      resolveOrReject();
    };
    const waitForRoom = async () => {
      body.pause();
      const pausedAt = performance.now();
      try {
        await hold.waitForRoom();
        waitedMs += performance.now() - pausedAt;
      } catch (error) {
        fail(error);
      }
      body.resume();
    };
    body.on("data", (chunk: Buffer) => {
      if (length + chunk.length > maxBytes) return fail(tooLarge(body, maxBytes));
      if (length + chunk.length > buffer.length) {
        // A client that has sent that much gets a buffer for all that it announced.
        const nextBytes =
          contentLength > 0 ? expectedBytes : Math.max(buffer.length * 4, length + chunk.length);
        const larger = buffers.acquire(Math.min(expectedBytes, nextBytes));
        buffer.copy(larger, 0, 0, length);
        buffers.release(buffer);
        buffer = larger;
      }
      length += chunk.copy(buffer, length);
      hold.resize(length);
      if (!hold.hasRoom) void waitForRoom();
    });
    body.once("end", () =>
      end(() => {
        const received = buffer.subarray(0, length);
        pooledBuffers.set(received, buffer);
        resolve(received);
      }),
    );
    for (const event of ["error", "close"])
      body.once(event, () => {
        // `close` also follows a normal end: checking first avoids the cost of creating an unused error.
        if (!isEnded) fail(new HttpError(400, "Request body was cut off"));
      });
  });
}
