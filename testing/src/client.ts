import { randomUUID } from "node:crypto";

export const PASSWORD = "correct horse battery staple";

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
  json: any;
}

export interface RequestOptions {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  /** Stops reading an endless response; the text read so far is returned. */
  signal?: AbortSignal;
}

/** An HTTP client with the session cookie of one user. */
export class Client {
  readonly url: string;
  cookie: string | undefined;

  constructor(url: string, cookie?: string) {
    this.url = url;
    this.cookie = cookie;
  }

  async request(
    method: string,
    path: string,
    { body, raw, headers = {}, signal }: RequestOptions = {},
  ): Promise<TestResponse> {
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.cookie && { cookie: this.cookie }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = signal ? await readUntil(response, signal) : await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  }

  get = (path: string, options?: RequestOptions) => this.request("GET", path, options);
  post = (path: string, body?: unknown, options?: RequestOptions) =>
    this.request("POST", path, { body, ...options });
  patch = (path: string, body?: unknown) => this.request("PATCH", path, { body });
  put = (path: string, body?: unknown) => this.request("PUT", path, { body });
  delete = (path: string, body?: unknown) => this.request("DELETE", path, { body });

  /** Registers a new user and signs in as that user. */
  async newUser(email = `user-${randomUUID()}@example.test`): Promise<SignedInUser> {
    const anonymous = new Client(this.url);
    expectStatus(await anonymous.post("/api/auth/register", { email, password: PASSWORD, name: "Ada" }), 200);
    return anonymous.signIn(email);
  }

  async signIn(email: string, password = PASSWORD): Promise<SignedInUser> {
    const response = expectStatus(
      await new Client(this.url).post("/api/auth/login", { email, password }),
      200,
    );
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
    return Object.assign(new Client(this.url, cookie), { email, id: response.json.user.id as string });
  }
}

export type SignedInUser = Client & { email: string; id: string };

export function expectStatus(response: TestResponse, status: number): TestResponse {
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status}: ${response.text}`);
  return response;
}

async function readUntil(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  signal.addEventListener("abort", () => void reader?.cancel());
  let text = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    text += Buffer.from(part.value).toString();
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
