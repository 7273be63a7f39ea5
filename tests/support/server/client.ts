import { randomUUID } from "node:crypto";
import type { UserId } from "../../../packages/server/src/auth/user-id.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";

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
  /** Stops reading an endless response; the text read so far is returned. A refusal is read whole. */
  signal?: AbortSignal;
}

/** Finds a user's workspace, for tests that look into the database. */
type FindWorkspace = (userId: UserId) => Promise<WorkspaceId | undefined>;

/** An HTTP client with the session cookie of one user. */
export class Client {
  readonly url: string;
  cookie: string | undefined;
  readonly #findWorkspace: FindWorkspace | undefined;

  constructor(url: string, cookie?: string, findWorkspace?: FindWorkspace) {
    this.url = url;
    this.cookie = cookie;
    this.#findWorkspace = findWorkspace;
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
    const text = signal && response.ok ? await readUntil(response, signal) : await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  }

  /** The path of a request with the workspace that it is about, if this client has to name one. */
  pathOf(_method: string, path: string): string {
    return path;
  }

  get = (path: string, options?: RequestOptions) => this.request("GET", path, options);
  post = (path: string, body?: unknown, options?: RequestOptions) =>
    this.request("POST", path, { body, ...options });
  patch = (path: string, body?: unknown) => this.request("PATCH", path, { body });
  put = (path: string, body?: unknown) => this.request("PUT", path, { body });
  delete = (path: string, body?: unknown) => this.request("DELETE", path, { body });

  /** Registers a new user and signs in as that user. */
  async newUser(email = `user-${randomUUID()}@example.test`): Promise<SignedInUser> {
    const anonymous = new Client(this.url, undefined, this.#findWorkspace);
    expectStatus(await anonymous.post("/api/auth/register", { email, password: PASSWORD, name: "Ada" }), 200);
    return anonymous.signIn(email);
  }

  async signIn(email: string, password = PASSWORD): Promise<SignedInUser> {
    const response = expectStatus(
      await new Client(this.url).post("/api/auth/login", { email, password }),
      200,
    );
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
    const userId: UserId = response.json.user.id;
    const workspaceId = await this.#findWorkspace?.(userId);
    return new SignedInUser(this.url, cookie, { email, userId, workspaceId });
  }
}

/** A client of a signed-in user, whose ids tests look up in the database. */
export class SignedInUser extends Client {
  readonly email: string;
  readonly userId: UserId;
  /** Verifies the address; undefined for a client that does not know the database. */
  readonly verify: (() => Promise<void>) | undefined;
  readonly #workspaceId: WorkspaceId | undefined;

  constructor(
    url: string,
    cookie: string | undefined,
    ids: {
      email: string;
      userId: UserId;
      workspaceId: WorkspaceId | undefined;
      verify?: (() => Promise<void>) | undefined;
    },
  ) {
    super(url, cookie);
    this.verify = ids.verify;
    this.email = ids.email;
    this.userId = ids.userId;
    this.#workspaceId = ids.workspaceId;
  }

  /** The same session at another server. */
  at(url: string): SignedInUser {
    const { cookie, email, userId, verify } = this;
    return new SignedInUser(url, cookie, { email, userId, workspaceId: this.#workspaceId, verify });
  }

  get workspaceId(): WorkspaceId {
    if (!this.#workspaceId) throw new Error("This client does not know the database");
    return this.#workspaceId;
  }
}

export function expectStatus(response: TestResponse, status: number): TestResponse {
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status}: ${response.text}`);
  return response;
}

async function readUntil(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel();
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
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
