import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { BufferPool } from "../concurrency/buffer-pool.ts";
import { HttpError } from "./http-error.ts";

const unpack = promisify(gunzip);
const buffers = new BufferPool(64 * 1024 * 1024);

/** A body that has not arrived by then holds room that others wait for. */
const LONGEST_ARRIVAL_MS = 30_000;
/** How long what nobody wants is still taken in, so that its sender reads our answer before the line is cut. */
const LONGEST_DISCARD_MS = 5_000;

/** The buffers that bodies were read into, by the bodies. */
const wholes = new WeakMap<Buffer, Buffer>();

/** Takes back the room of a body that `readBytes` gave out, once nobody holds a view of it any more. */
export function releaseBytes(body: Buffer) {
  const whole = wholes.get(body);
  if (!whole) return;
  wholes.delete(body);
  buffers.release(whole);
}

/** The whole body, unpacked, bounded as it arrives and again as it unpacks. */
export async function readBytes(request: FastifyRequest, body: Readable, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new HttpError(415, "Content-Encoding must be gzip or identity");
  const sent = await readSent(request.raw, body, Number(request.headers["content-length"]), maxBytes);
  if (encoding === "identity") return sent;
  try {
    const unpacked = await unpack(sent, { maxOutputLength: maxBytes });
    releaseBytes(sent);
    return unpacked;
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge(request.raw) : new HttpError(400, "Invalid JSON in request body");
  }
}

/** Refuses a body and lets the rest of it run into the void for a moment: a line cut at once would cut the answer off too. */
export function tooLarge(raw: IncomingMessage): HttpError {
  discard(raw);
  return new HttpError(413, "Request body too large (max 10MB)");
}

function discard(raw: IncomingMessage) {
  raw.resume();
  const cut = setTimeout(() => raw.complete || raw.destroy(), LONGEST_DISCARD_MS).unref();
  raw.once("close", () => clearTimeout(cut));
}

function readSent(
  raw: IncomingMessage,
  body: Readable,
  announcedBytes: number,
  maxBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let buffer = buffers.acquire(Math.min(announcedBytes || 16_384, maxBytes));
    let length = 0;
    let isEnded = false;
    const late = setTimeout(() => {
      discard(raw);
      end(() => reject(new HttpError(408, "Request body took too long to arrive")));
    }, LONGEST_ARRIVAL_MS);
    const end = (settle: () => void) => {
      isEnded = true;
      clearTimeout(late);
      body.removeAllListeners("data");
      settle();
    };
    body.on("data", (part: Buffer) => {
      if (length + part.length > maxBytes) return end(() => reject(tooLarge(raw)));
      if (length + part.length > buffer.length) {
        const larger = buffers.acquire(Math.min(maxBytes, Math.max(buffer.length * 2, length + part.length)));
        buffer.copy(larger, 0, 0, length);
        buffers.release(buffer);
        buffer = larger;
      }
      length += part.copy(buffer, length);
    });
    body.once("end", () =>
      end(() => {
        const sent = buffer.subarray(0, length);
        wholes.set(sent, buffer);
        resolve(sent);
      }),
    );
    // Nobody is left to read an answer.
    for (const event of ["error", "close"])
      body.once(event, () => {
        // Every body is closed in the end, and making an error takes a while.
        if (!isEnded) end(() => reject(new HttpError(400, "Request body was cut off")));
      });
  });
}
