import type { FastifyRequest } from "fastify";
import { HttpError } from "../http-error.ts";
import { discard } from "./read-bytes.ts";

/** The error text for a body that is too large. */
export const tooLargeText = (maxBytes: number) => `Request body too large (max ${maxBytes / 1024}KB)`;

/** Reads a body of a few kilobytes as text, on a route that leaves bodies to its handler. */
export async function readSmallBody({ raw, headers }: FastifyRequest, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const refuse = () => {
    discard(raw);
    return new HttpError(413, tooLargeText(maxBytes));
  };
  if (Number(headers["content-length"]) > maxBytes) throw refuse();
  return new Promise((resolve, reject) => {
    raw.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        raw.removeAllListeners("data");
        reject(refuse());
      }
    });
    raw.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    for (const event of ["error", "close"])
      raw.once(event, () => reject(new HttpError(400, "Request body was cut off")));
  });
}
