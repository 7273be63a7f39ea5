import { CliError, EXIT } from "./cli-error.ts";

export interface Credentials {
  /** The session's token, for reading. */
  session?: string | undefined;
  /** An API key, for sending. */
  key?: string | undefined;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Undefined where the body is no JSON. */
  body: unknown;
}

/** The service, over HTTP; whatever is not a 2xx is a CliError that says what to do. */
export class Api {
  readonly url: string;
  readonly #credentials: Credentials;

  constructor(url: string, credentials: Credentials = {}) {
    this.url = url;
    this.#credentials = credentials;
  }

  get = (path: string) => this.#ok("GET", path);
  post = (path: string, body: unknown) => this.#ok("POST", path, body);
  delete = (path: string) => this.#ok("DELETE", path);

  /** The answer as it is; only a service that does not answer at all is an error. */
  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const { session, key } = this.#credentials;
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(session !== undefined && { cookie: `${cookieName(this.url)}=${session}` }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
    return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
  }

  async #ok(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.request(method, path, body);
    if (answer.status < 300) return answer.body;
    const text = errorOf(answer);
    if (answer.status === 401 && this.#credentials.key === undefined)
      throw new CliError(`Not signed in at ${this.url}`, {
        advice: NOT_SIGNED_IN,
        exitCode: EXIT.notSignedIn,
      });
    if (answer.status === 401)
      throw new CliError(`${text} (${this.url})`, {
        advice: "Make a key under Settings, API keys, and pass it as --key or WHYTRACE_API_KEY.",
        exitCode: EXIT.notSignedIn,
      });
    if (answer.status === 404) throw new CliError(text, { exitCode: EXIT.notFound });
    throw new CliError(`${this.url} answered ${answer.status}: ${text}`);
  }
}

export const NOT_SIGNED_IN =
  "Run `whytrace login --url <address>`, or start `whytrace dev` and leave --url out.";

export function errorOf({ status, body }: Answer): string {
  return isRecord(body) && typeof body.error === "string" ? body.error : `status ${status}`;
}

/** The server's cookie: `__Host-` where the connection is safe. */
const cookieName = (url: string) =>
  url.startsWith("https:") ? "__Host-whytrace_session" : "whytrace_session";

export function sessionFrom(headers: Headers): string | undefined {
  return /(?:^|, )(?:__Host-)?whytrace_session=([^;]+)/.exec(headers.getSetCookie().join(", "))?.[1];
}

function unreachable(url: string, error: unknown): CliError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = isRecord(cause) && typeof cause.code === "string" ? cause.code : String(cause);
  return new CliError(`Nothing answers at ${url} (${reason})`, {
    advice: "Is it running? `whytrace dev` starts one here, `whytrace doctor` looks for what is wrong.",
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
