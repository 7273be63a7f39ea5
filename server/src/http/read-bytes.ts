import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { BufferPool } from "../concurrency/buffer-pool.ts";
import { HttpError } from "./http-error.ts";

const decompress = promisify(gunzip);
const buffers = new BufferPool(64 * 1024 * 1024);

/** A slow body holds memory that other requests wait for. */
const READ_TIMEOUT_MS = 30_000;
/** How long the rest of a rejected body is read and discarded, so that the client can read the response. */
const DISCARD_TIMEOUT_MS = 5_000;

/** Maps a body, which is a view, to the pooled buffer behind it. */
const pooledBuffers = new WeakMap<Buffer, Buffer>();

/** Returns the buffer of a body from `readBytes` to the pool. The caller must hold no view of the body. */
export function releaseBytes(body: Buffer) {
  const buffer = pooledBuffers.get(body);
  if (!buffer) return;
  pooledBuffers.delete(body);
  buffers.release(buffer);
}

/** Reads the whole body and decompresses it; `maxBytes` limits both the compressed and the decompressed size. */
export async function readBytes(request: FastifyRequest, body: Readable, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new HttpError(415, "Content-Encoding must be gzip or identity");
  const received = await receive(request.raw, body, Number(request.headers["content-length"]), maxBytes);
  if (encoding === "identity") return received;
  try {
    const decompressed = await decompress(received, { maxOutputLength: maxBytes });
    releaseBytes(received);
    return decompressed;
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge(request.raw) : new HttpError(400, "Invalid JSON in request body");
  }
}

/** Discards the rest of the body instead of closing the socket: closing at once could lose the response. */
export function tooLarge(raw: IncomingMessage): HttpError {
  discard(raw);
  return new HttpError(413, "Request body too large (max 10MB)");
}

function discard(raw: IncomingMessage) {
  raw.resume();
  const timeout = setTimeout(() => raw.complete || raw.destroy(), DISCARD_TIMEOUT_MS).unref();
  raw.once("close", () => clearTimeout(timeout));
}

function receive(
  raw: IncomingMessage,
  body: Readable,
  contentLength: number,
  maxBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let buffer = buffers.acquire(Math.min(contentLength || 16_384, maxBytes));
    let length = 0;
    let isEnded = false;
    const timeout = setTimeout(() => {
      discard(raw);
      end(() => reject(new HttpError(408, "Request body took too long to arrive")));
    }, READ_TIMEOUT_MS);
    const end = (resolveOrReject: () => void) => {
      isEnded = true;
      clearTimeout(timeout);
      body.removeAllListeners("data");
      resolveOrReject();
    };
    body.on("data", (chunk: Buffer) => {
      if (length + chunk.length > maxBytes) return end(() => reject(tooLarge(raw)));
      if (length + chunk.length > buffer.length) {
        const larger = buffers.acquire(
          Math.min(maxBytes, Math.max(buffer.length * 2, length + chunk.length)),
        );
        buffer.copy(larger, 0, 0, length);
        buffers.release(buffer);
        buffer = larger;
      }
      length += chunk.copy(buffer, length);
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
        if (!isEnded) end(() => reject(new HttpError(400, "Request body was cut off")));
      });
  });
}
