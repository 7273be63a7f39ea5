import type { Settings } from "./config.ts";
import { describeError } from "./to-json.ts";
import type { SendRequest } from "./types.ts";

/** What became of a request, as far as the sender must tell answers apart. */
export type Outcome =
  | { kind: "taken"; count: number }
  /** 400, 409: something in it is refused. */
  | { kind: "refused"; message: string }
  | { kind: "too-large"; message: string }
  | { kind: "limited"; message: string; retryAfterMs: number | undefined }
  | { kind: "key-refused"; message: string }
  /** 500: the server stumbled, perhaps over this very batch. */
  | { kind: "failed"; message: string; retryAfterMs: number | undefined }
  /** No answer, or one that is not the server's. It may have been carried out all the same. */
  | { kind: "unreachable"; message: string; retryAfterMs: number | undefined };

export async function postBatch(
  settings: Settings,
  body: string,
  timeoutMs: number,
  abort: AbortController,
): Promise<Outcome> {
  const send: SendRequest = settings.fetch ?? ((url, init) => fetch(url, init));
  const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await send(settings.endpoint, {
      method: "POST",
      headers: { authorization: `Bearer ${settings.apiKey}`, "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: abort.signal,
    });
    return outcomeOf(response.status, await response.text(), response.headers.get("retry-after"));
  } catch (error) {
    const cause = error instanceof Error && error.cause ? `: ${describeError(error.cause)}` : "";
    const reason = abort.signal.aborted
      ? describeError(abort.signal.reason)
      : `${describeError(error)}${cause}`;
    return { kind: "unreachable", message: reason, retryAfterMs: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(status: number, text: string, retryAfter: string | null): Outcome {
  const answer = parseAnswer(text);
  const message = `${status} ${answer?.error ?? (text.slice(0, 200) || "without a body")}`;
  const retryAfterMs = readRetryAfter(retryAfter);
  if (status === 200 && answer?.success === true) return { kind: "taken", count: Number(answer.count) };
  if (status === 400 || status === 409) return { kind: "refused", message };
  if (status === 413) return { kind: "too-large", message };
  if (status === 429) return { kind: "limited", message, retryAfterMs };
  if (status === 401 || status === 403) return { kind: "key-refused", message };
  if (status === 500) return { kind: "failed", message, retryAfterMs };
  return { kind: "unreachable", message: `is it a Whytrace server? ${message}`, retryAfterMs };
}

interface Answer {
  success?: unknown;
  count?: unknown;
  error?: unknown;
}

function parseAnswer(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
