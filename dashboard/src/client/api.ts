/** A refusal in the server's own words. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  /** To send traces with; everything else goes by the session. */
  apiKey?: string;
  signal?: AbortSignal | undefined;
}

/** Calls the API with the session's cookie. The caller names the answer's type, which the contract gives. */
export async function api<T>(
  path: string,
  { method = "GET", body, apiKey, signal }: RequestOptions = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(signal && { signal }),
    ...(body !== undefined && {
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
    }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server cannot be reached. Check your connection.");
  });
  if (response.ok) return (await response.json()) as T;
  const answer: unknown = await response.json().catch(() => undefined);
  const text =
    typeof answer === "object" && answer !== null && "error" in answer
      ? String(answer.error)
      : response.statusText;
  throw new ApiError(response.status, text, Number(response.headers.get("retry-after")) || undefined);
}

/** A query string of what is set. */
export function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(key, String(value));
  const text = parameters.toString();
  return text && `?${text}`;
}
