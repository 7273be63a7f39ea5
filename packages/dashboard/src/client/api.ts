import { parseExactValues } from "./parse-exact-json.ts";
import { reportUnauthorized } from "./unauthorized.ts";

/** An error response, with the server's error text as its message. Status 0: no response arrived. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** How to prove who it is, the best way first, if the act needs that. */
  readonly waysToConfirm: readonly string[] | undefined;

  constructor(status: number, message: string, headers?: Headers) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = Number(headers?.get("retry-after")) || undefined;
    this.waysToConfirm = headers?.get("whytrace-confirm")?.split(", ");
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  /** Needed only to send traces; every other endpoint uses the session cookie. */
  apiKey?: string;
  signal?: AbortSignal | undefined;
}

interface ApiOptions extends RequestOptions {
  /** The response contains JSON as users sent it: numbers that JavaScript would change are kept as sent. */
  hasPayload?: boolean;
}

/** Calls the API with the session cookie. `T` is the response type from the contract; it is not checked. */
export async function api<T>(path: string, { hasPayload = false, ...options }: ApiOptions = {}): Promise<T> {
  const response = await request(path, options);
  return (hasPayload ? parseExactValues(await response.text()) : await response.json()) as T;
}

/** The address of a path: it may begin with that of a workspace. */
let addressOf = (path: string) => path;
export const setApiAddress = (address: (path: string) => string) => {
  addressOf = address;
};

const UNREACHABLE = "Cannot reach the server. Check your connection.";

/** Sends a request with the session cookie. An error response is thrown. */
export async function request(
  path: string,
  { method = "GET", body, apiKey, signal }: RequestOptions = {},
): Promise<Response> {
  const response = await fetch(addressOf(path), {
    method,
    credentials: "same-origin",
    ...(signal && { signal }),
    ...(body !== undefined && {
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
    }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, UNREACHABLE);
  });
  if (response.ok) return response;
  if (response.status === 401) reportUnauthorized();
  const errorBody: unknown = await response.json().catch(() => undefined);
  const text =
    typeof errorBody === "object" && errorBody !== null && "error" in errorBody
      ? String(errorBody.error)
      : response.statusText;
  throw new ApiError(response.status, text, response.headers);
}

/** Builds a query string, leaving out empty values. */
export function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(key, String(value));
  const text = parameters.toString();
  return text && `?${text}`;
}
