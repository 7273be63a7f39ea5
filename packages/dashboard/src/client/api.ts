import {
  queryString,
  type RequestParts,
  type RouteArguments,
  type RouteName,
  type RouteResponse,
  routeRequest,
} from "@whytrace/contract";
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
  method?: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

interface ApiOptions {
  signal?: AbortSignal | undefined;
  /** The response contains JSON as users sent it: numbers that JavaScript would change are kept as sent. */
  hasPayload?: boolean;
  /** The slug of a workspace, on a page that belongs to none. */
  workspace?: string;
}

type Api = <Name extends RouteName>(
  name: Name,
  ...options: RouteArguments<Name, ApiOptions>
) => Promise<RouteResponse<Name>>;

/** Calls a route of the API with the session cookie. Its row in the table of routes types the request and the response. */
export const api: Api = async <Name extends RouteName>(
  name: Name,
  { params = {}, query = {}, body, signal, hasPayload, workspace }: ApiOptions & RequestParts = {},
) => {
  const { method, path } = routeRequest(name, { params, query });
  const prefix = workspace === undefined ? "" : `/w/${workspace}`;
  const response = await request(prefix + path, { method, body, signal });
  // The server compares its schema with the table, so the response is not checked again.
  return (
    hasPayload ? parseExactValues(await response.text()) : await response.json()
  ) as RouteResponse<Name>;
};

/** The address of a path: it may begin with that of a workspace. */
let addressOf = (path: string) => path;
export const setApiAddress = (address: (path: string) => string) => {
  addressOf = address;
};

const UNREACHABLE = "Cannot reach the server. Check your connection.";

/** Sends a request with the session cookie. An error response is thrown. */
export async function request(
  path: string,
  { method = "GET", body, signal }: RequestOptions = {},
): Promise<Response> {
  const response = await fetch(addressOf(path), {
    method,
    credentials: "same-origin",
    ...(signal && { signal }),
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
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

export { queryString };
