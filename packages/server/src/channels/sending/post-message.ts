import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type AddressRules, checkAddress, NOT_PUBLIC } from "../address/check-address.ts";

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_READ_BYTES = 64 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
const KEPT_BYTES = 1_024;

export interface Attempt {
  /** Null without a response. */
  status: number | null;
  error: string | null;
  /** The first KiB, as text. */
  response: string | null;
  address: string | null;
  durationMs: number;
  retryAfterSeconds: number | null;
  isRefusedAddress: boolean;
}

interface Answer {
  status: number;
  response: string;
  retryAfterSeconds: number | null;
}

/**
 * Posts a message once. The host is resolved once, its address is checked, and the connection goes to this address: there is no second
 * resolution that could lead elsewhere. Follows no redirect, uses no proxy, and reads at most 64 KiB.
 */
export async function postMessage(
  url: URL,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  rules: AddressRules,
): Promise<Attempt> {
  const startedAt = performance.now();
  const checked = await checkAddress(url, rules);
  const attempt = (fields: Partial<Attempt>): Attempt => ({
    status: null,
    error: null,
    response: null,
    address: checked.address ?? null,
    retryAfterSeconds: null,
    isRefusedAddress: checked.error === NOT_PUBLIC,
    ...fields,
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (checked.error !== undefined) return attempt({ error: checked.error });
  try {
    return attempt(await post(url, checked.address, { headers, body }));
  } catch (error) {
    return attempt({ error: describe(error) });
  }
}

function post(
  url: URL,
  address: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): Promise<Answer> {
  const lookup: LookupFunction = (_host, options, done) => {
    const family = isIP(address);
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const bytes = Buffer.from(body);
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: "POST",
      // An agent of its own for each request: no connection is reused, and none goes through a proxy of the environment.
      agent: false,
      lookup,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": String(bytes.length),
        "user-agent": "Whytrace-Webhooks/1",
        "accept-encoding": "identity",
      },
    });
    const fail = (text: string) => request.destroy(new Error(text));
    const deadline = setTimeout(() => fail("No complete answer within 10 s"), TIMEOUT_MS);
    const connecting = setTimeout(() => fail("No connection within 3 s"), CONNECT_TIMEOUT_MS);
    request.on("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(connecting));
    });
    request.on("error", reject);
    request.on("close", () => {
      clearTimeout(deadline);
      clearTimeout(connecting);
      reject(new Error("The connection ended without an answer"));
    });
    request.on("response", (response) => {
      readAnswer(response).then((answer) => {
        resolve(answer);
        request.destroy();
      }, reject);
    });
    request.end(bytes);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    const bytes = Buffer.from(part);
    if (size < KEPT_BYTES) parts.push(bytes);
    size += bytes.length;
    if (size > MAX_READ_BYTES) break;
  }
  return {
    status: response.statusCode ?? 0,
    // PostgreSQL stores no NUL.
    response: Buffer.concat(parts)
      .subarray(0, KEPT_BYTES)
      .toString()
      .toWellFormed()
      .replaceAll("\0", "\ufffd"),
    retryAfterSeconds: retryAfter(response.headers["retry-after"]),
  };
}

function retryAfter(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000);
}

/** Names of errors, not their texts: those of the system contain addresses. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "The message could not be sent";
  if ("code" in error && typeof error.code === "string") return `The connection failed (${error.code})`;
  return error.message;
}
