import { request } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  status: number;
  text: string;
}

export interface RawRequest {
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
}

const TIMEOUT_MS = 120_000;

/**
 * One batch on a connection of its own. A stream goes out chunked unless a Content-Length is given. What counts is
 * the answer, even if the server gave it without hearing the body out.
 */
export function postRaw(serverUrl: string, key: string, { body, headers = {} }: RawRequest) {
  return new Promise<RawAnswer>((resolve) => {
    const isStream = typeof body === "object" && "pipe" in body;
    const length = isStream ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(`${serverUrl}/api/traces`, {
      method: "POST",
      agent: false,
      timeout: TIMEOUT_MS,
      headers: { authorization: `Bearer ${key}`, ...length, ...headers },
    });
    outgoing.once("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      const finish = () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
        outgoing.destroy();
      };
      response.once("end", finish).once("error", finish);
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error("no answer")));
    outgoing.once("close", () => resolve({ status: 0, text: "" }));
    // Without an answer, `close` follows.
    outgoing.on("error", () => {});
    if (isStream) pipeline(body, outgoing).catch(() => {});
    else outgoing.end(body);
  });
}
