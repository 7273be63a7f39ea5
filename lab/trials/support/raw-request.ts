import { request } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

interface RawResponse {
  /** 0 if the connection closed without a response. */
  status: number;
  text: string;
}

export interface RawRequest {
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
  path?: string;
}

const TIMEOUT_MS = 120_000;

/**
 * Sends one batch, or another body if a path is given, on a new connection. Sends a stream chunked unless Content-Length is given. Returns the response even
 * if the server sends it before it has read the whole body.
 */
export function postRaw(
  serverUrl: string,
  key: string,
  { body, headers = {}, path = "/api/traces" }: RawRequest,
) {
  return new Promise<RawResponse>((resolve) => {
    const isStream = typeof body === "object" && "pipe" in body;
    const length = isStream ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(serverUrl + path, {
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
    outgoing.once("timeout", () => outgoing.destroy(new Error("no response")));
    outgoing.once("close", () => resolve({ status: 0, text: "" }));
    // `close` follows and resolves the promise.
    outgoing.on("error", () => {});
    if (isStream) pipeline(body, outgoing).catch(() => {});
    else outgoing.end(body);
  });
}
