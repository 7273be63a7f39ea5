import type { Settings } from "../config.ts";
import type { SendRequest } from "../types.ts";
import type { Batch } from "./serialize-batch.ts";
import { describeError } from "./to-json.ts";

/** The result of a request, as far as the sender handles responses differently. */
export type Outcome =
  | { kind: "accepted"; count: number }
  /** 400 or 409: at least one trace of the batch is invalid. */
  | { kind: "refused"; message: string }
  | { kind: "too-large"; message: string }
  | { kind: "rate-limited"; message: string; retryAfterMs?: number | undefined }
  | { kind: "key-refused"; message: string }
  /** 500: the cause may be the server or one trace of the batch. */
  | { kind: "server-error"; message: string; retryAfterMs?: number | undefined }
  /** No response, or not one of a Whytrace server. The server may have stored the batch all the same. */
  | { kind: "unreachable"; message: string; retryAfterMs?: number | undefined };

/** The arguments of `fetch`. */
export const requestOf = ({ baseUrl, apiKey }: Settings, { path, body }: Batch) =>
  [
    baseUrl + path,
    {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body,
      redirect: "manual",
    },
  ] as const;

export async function postBatch(
  settings: Settings,
  batch: Batch,
  timeoutMs: number,
  abort: AbortController,
): Promise<Outcome> {
  const send: SendRequest = settings.fetch ?? ((url, init) => fetch(url, init));
  const timer = setTimeout(() => abort.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    const [url, init] = requestOf(settings, batch);
    const response = await send(url, { ...init, signal: abort.signal });
    return outcomeOf(batch, response.status, await response.text(), response.headers.get("retry-after"));
  } catch (error) {
    const cause = error instanceof Error && error.cause ? `: ${describeError(error.cause)}` : "";
    const reason = abort.signal.aborted
      ? describeError(abort.signal.reason)
      : `${describeError(error)}${cause}`;
    return { kind: "unreachable", message: reason };
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(
  { readResponse }: Batch,
  status: number,
  text: string,
  retryAfter: string | null,
): Outcome {
  const body = parseBody(text);
  const message = `${status} ${body?.error ?? (text.slice(0, 200) || "without a body")}`;
  const retryAfterMs = parseRetryAfter(retryAfter);
  if (status === 200 && body?.success === true) return { kind: "accepted", count: Number(body.count) };
  const read = status === 200 && body && readResponse?.(body);
  if (read)
    return read.refusal === undefined
      ? { kind: "accepted", count: Number.POSITIVE_INFINITY }
      : { kind: "refused", message: read.refusal };
  if (status === 400 || status === 409) return { kind: "refused", message };
  if (status === 413) return { kind: "too-large", message };
  if (status === 429) return { kind: "rate-limited", message, retryAfterMs };
  if (status === 401 || status === 403) return { kind: "key-refused", message };
  if (status === 500) return { kind: "server-error", message, retryAfterMs };
  return { kind: "unreachable", message: `is it a Whytrace server? ${message}`, retryAfterMs };
}

interface ResponseBody {
  success?: unknown;
  count?: unknown;
  error?: unknown;
}

function parseBody(text: string): ResponseBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The header holds either seconds or a date. */
function parseRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
