import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { HttpError } from "./http-error.ts";

const unpack = promisify(gunzip);

/** The whole body, unpacked, bounded as it arrives and again as it unpacks. */
export async function readBytes(request: FastifyRequest, body: Readable, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new HttpError(415, "Content-Encoding must be gzip or identity");
  const sent = await readSent(body, Number(request.headers["content-length"]), maxBytes);
  if (encoding === "identity") return sent;
  try {
    return await unpack(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge() : new HttpError(400, "Invalid JSON in request body");
  }
}

/** A bad client is cut off rather than listened to. */
export const tooLarge = () =>
  new HttpError(413, "Request body too large (max 10MB)", { connection: "close" });

async function readSent(body: Readable, announcedBytes: number, maxBytes: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(announcedBytes || 16_384, maxBytes));
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (length + part.length > maxBytes) throw tooLarge();
    if (length + part.length > buffer.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(maxBytes, Math.max(buffer.length * 2, length + part.length)),
      );
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    length += part.copy(buffer, length);
  }
  return buffer.subarray(0, length);
}
