import {
  type RequestParts,
  type RouteArguments,
  type RouteName,
  type RouteResponse,
  routeRequest,
} from "@whytrace/contract";
import { CliError, EXIT } from "./cli-error.ts";

interface Credentials {
  /** The token of a sign-in session, for reading. */
  session?: string | undefined;
  /** An API key, for sending traces. */
  key?: string | undefined;
  /** An API key with the scope read or review, for reading. */
  readKey?: string | undefined;
  /** The slug of the workspace to read from; undefined: the only one of the session, or that of the key. */
  workspace?: string | undefined;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** Undefined if the body is not JSON. */
  body: unknown;
}

/** Either what the route returns, or an error. */
type RouteReply<Name extends RouteName> =
  | (ApiResponse & { isOk: true; body: RouteResponse<Name> })
  | (ApiResponse & { isOk: false });

type Ask = <Name extends RouteName>(name: Name, ...input: RouteArguments<Name>) => Promise<RouteReply<Name>>;

/** HTTP client of a Whytrace server. Turns every response outside 2xx into a CliError with advice. */
export class Api {
  readonly url: string;
  readonly #credentials: Credentials;

  constructor(url: string, credentials: Credentials = {}) {
    this.url = url;
    this.#credentials = credentials;
  }

  get hasSession(): boolean {
    return this.#credentials.session !== undefined;
  }

  get workspace(): string | undefined {
    return this.#credentials.workspace;
  }

  /** What paths of pages and of the API stand behind. */
  get pageUrl(): string {
    return this.workspace === undefined ? this.url : `${this.url}/w/${encodeURIComponent(this.workspace)}`;
  }

  /** The same, in another workspace or in none. */
  inWorkspace(workspace: string | undefined): Api {
    return new Api(this.url, { ...this.#credentials, workspace });
  }

  /** Calls a route. Its row in the table of routes types the request and the response. */
  async call<Name extends RouteName>(
    name: Name,
    ...input: RouteArguments<Name>
  ): Promise<RouteResponse<Name>> {
    const reply = await this.ask(name, ...input);
    if (reply.isOk) return reply.body;
    throw this.#refused(reply);
  }

  /** Calls a route with a body that nobody but the server checks, such as the content of a file. */
  async send<Name extends RouteName>(name: Name, body: unknown): Promise<RouteResponse<Name>> {
    const reply = await this.#reply(name, { body });
    if (reply.isOk) return reply.body;
    throw this.#refused(reply);
  }

  /** Calls a route, and returns an error response, too; throws only if the server cannot be reached. */
  readonly ask: Ask = (name, ...[input]) => this.#reply(name, input);

  /** Sends JSON to what is no route of the table, such as an endpoint of OpenTelemetry. */
  async post(path: string, body: unknown): Promise<unknown> {
    const response = await this.request("POST", path, body);
    if (response.status < 300) return response.body;
    throw this.#refused(response);
  }

  /** Returns a response of any status; throws only if the server cannot be reached. */
  async request(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await this.#fetch(method, path, {
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return toApiResponse(response);
  }

  /** Reads a long response piece by piece. Fails with a CliError if it breaks off. */
  async stream(path: string, signal?: AbortSignal): Promise<AsyncIterable<string>> {
    const response = await this.#fetch("GET", path, signal ? { signal } : {});
    if (response.status >= 300) throw this.#refused(await toApiResponse(response));
    return readText(this.url, response);
  }

  async #fetch(method: string, path: string, options: RequestInit): Promise<Response> {
    const { session, key, readKey } = this.#credentials;
    const bearer = key ?? readKey;
    return fetch(this.pageUrl + path, {
      method,
      redirect: "manual",
      headers: {
        ...(options.body !== undefined && { "content-type": "application/json" }),
        ...(session !== undefined && { cookie: `${cookieName(this.url)}=${session}` }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...options,
    }).catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
  }

  async #reply<Name extends RouteName>(name: Name, parts: RequestParts = {}): Promise<RouteReply<Name>> {
    const { method, path } = routeRequest(name, parts);
    const response = await this.request(method, path, parts.body);
    if (response.status >= 300) return { ...response, isOk: false };
    // The server compares its schema with the table, so the response is not checked again.
    return { ...response, isOk: true, body: response.body as RouteResponse<Name> };
  }

  #refused(response: ApiResponse): CliError {
    const text = errorText(response);
    const { key, readKey } = this.#credentials;
    if (response.status === 401 && key === undefined && readKey === undefined)
      return new CliError(`Not signed in to ${this.url}`, {
        advice: NOT_SIGNED_IN,
        exitCode: EXIT.notSignedIn,
      });
    if (response.status === 401)
      return new CliError(`${text} (${this.url})`, {
        advice: key === undefined ? BAD_READ_KEY : BAD_KEY,
        exitCode: EXIT.notSignedIn,
      });
    if (response.status === 403) return new CliError(`${text} (${this.url})`, { exitCode: EXIT.notSignedIn });
    if (response.status === 404) return new CliError(text, { exitCode: EXIT.notFound });
    if (text.startsWith("You belong to several workspaces."))
      return new CliError("You belong to several workspaces", { advice: CHOOSE_WORKSPACE });
    return new CliError(`${this.url} responded with ${response.status}: ${text}`);
  }
}

const CHOOSE_WORKSPACE =
  "`whytrace workspaces` lists them, `whytrace use <slug>` chooses one. Or pass --workspace.";
const BAD_KEY = "Create an API key under Settings > API keys and pass it with --key or WHYTRACE_API_KEY.";
const BAD_READ_KEY =
  "The key is unknown, revoked or expired, or has the scope send. Create one with the scope read under Settings > API keys.";
export const NOT_SIGNED_IN =
  "Set WHYTRACE_READ_KEY, run `whytrace login --url <url>`, or start `whytrace dev` and omit --url.";

const toApiResponse = async (response: Response): Promise<ApiResponse> => ({
  status: response.status,
  headers: response.headers,
  body: parseJson(await response.text()),
});

async function* readText(url: string, { body }: Response): AsyncGenerator<string> {
  if (!body) return;
  try {
    yield* body.pipeThrough(new TextDecoderStream());
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    throw new CliError(`${url} ended the response before it was complete. Try again.`);
  }
}

export function errorText({ status, body }: ApiResponse): string {
  return isRecord(body) && typeof body.error === "string" ? body.error : `status ${status}`;
}

/** The server adds the `__Host-` prefix to its session cookie over HTTPS. */
const cookieName = (url: string) =>
  url.startsWith("https:") ? "__Host-whytrace_session" : "whytrace_session";

export function sessionFrom(headers: Headers): string | undefined {
  return /(?:^|, )(?:__Host-)?whytrace_session=([^;]+)/.exec(headers.getSetCookie().join(", "))?.[1];
}

function unreachable(url: string, error: unknown): CliError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = isRecord(cause) && typeof cause.code === "string" ? cause.code : String(cause);
  return new CliError(`Cannot connect to ${url} (${reason})`, {
    advice:
      "Is the server running? Start one with `whytrace dev`, or find the problem with `whytrace doctor`.",
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
