import { randomUUID } from "node:crypto";

export const PASSWORD = "correct horse battery staple";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
  json: any;
}

export interface RequestOptions {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  /** Ends the reading of an answer that has no end; what came by then counts. */
  signal?: AbortSignal;
}

/** An HTTP client that keeps one person's cookie. */
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
  ): Promise<Answer> {
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
  delete = (path: string, body?: unknown) => this.request("DELETE", path, { body });

  /** Registers a new person and signs them in. */
  async newUser(email = `user-${randomUUID()}@example.test`): Promise<SignedIn> {
    const anonymous = new Client(this.url);
    expectStatus(await anonymous.post("/api/auth/register", { email, password: PASSWORD, name: "Ada" }), 200);
    return anonymous.signIn(email);
  }

  async signIn(email: string, password = PASSWORD): Promise<SignedIn> {
    const answer = expectStatus(await new Client(this.url).post("/api/auth/login", { email, password }), 200);
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
    return Object.assign(new Client(this.url, cookie), { email, id: answer.json.user.id as string });
  }
}

export type SignedIn = Client & { email: string; id: string };

export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
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
