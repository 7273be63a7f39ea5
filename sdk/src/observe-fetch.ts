import { activeClient } from "./global-state.ts";
import type { LlmAnswer, LlmCall } from "./llm-call.ts";
import { observeStream } from "./observe-stream.ts";
import { quietly } from "./quietly.ts";
import { fieldsOf, parseJson, textOf } from "./read-json.ts";

/*
 * Provider clients take a fetch of one's own. Watching there leaves the client itself as it is, whole: its promises,
 * streams, retries, errors and types. The body is handed through chunk by chunk as the client pulls it, so nothing is
 * read ahead, and an abort or a stream left early reaches the provider as before.
 */

export type Fetch = typeof fetch;

/** Makes an answer of what a streaming provider sends, event by event. */
export interface StreamReader {
  add(event: unknown): void;
  answer(): LlmAnswer;
}

export interface Provider {
  /** Undefined for a request that is no call of a model. */
  begin(path: string, body: unknown): LlmCall | undefined;
  read(path: string, body: unknown): LlmAnswer;
  stream(path: string): StreamReader;
}

export function observeFetch(inner: Fetch, provider: Provider): Fetch {
  return async (input, init) => {
    const path = pathOf(input);
    const call = quietly(() =>
      init?.method?.toUpperCase() === "POST" && typeof init.body === "string"
        ? provider.begin(path, parseJson(init.body))
        : undefined,
    );
    if (!call) return inner(input, init);
    const attempt = Number(new Headers(init?.headers).get("x-stainless-retry-count") ?? 0);
    if (attempt > 0) call.span.event(`attempt ${attempt + 1}`, { type: "RETRY" });
    let response: Response;
    try {
      response = await inner(input, init);
    } catch (error) {
      call.fail(error);
      throw error;
    }
    return quietly(() => observeResponse(response, call, provider, path)) ?? response;
  };
}

function observeResponse(response: Response, call: LlmCall, provider: Provider, path: string): Response {
  const { body, status } = response;
  if (!body || typeof body.getReader !== "function") {
    if (response.ok) call.end({});
    else call.fail(`${status}`);
    return response;
  }
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const seen = isStream
    ? new EventStream(provider.stream(path))
    : new WholeBody((text) => provider.read(path, parseJson(text)));
  const observed = new Response(
    observeStream(body, {
      add: (chunk) => seen.add(chunk),
      end: (message) =>
        response.ok ? call.end(seen.answer(), message) : call.fail(errorText(status, seen.text)),
      fail: (error) => call.fail(error),
    }),
    {
      status,
      statusText: response.statusText,
      headers: response.headers,
    },
  );
  // A response that was made has no address of its own.
  for (const field of ["url", "redirected", "type"] as const)
    Object.defineProperty(observed, field, { value: response[field] });
  return observed;
}

interface Seen {
  text: string;
  add(chunk: Uint8Array): void;
  answer(): LlmAnswer;
}

class WholeBody implements Seen {
  text = "";
  readonly #decoder = new TextDecoder();
  readonly #read: (text: string) => LlmAnswer;

  constructor(read: (text: string) => LlmAnswer) {
    this.#read = read;
  }

  add(chunk: Uint8Array): void {
    this.text += this.#decoder.decode(chunk, { stream: true });
  }

  answer(): LlmAnswer {
    return this.#read(this.text);
  }
}

/** Server-sent events: blocks of lines, an empty line between them, the payload in the lines that begin with data. */
class EventStream implements Seen {
  text = "";
  readonly #decoder = new TextDecoder();
  readonly #reader: StreamReader;

  constructor(reader: StreamReader) {
    this.#reader = reader;
  }

  add(chunk: Uint8Array): void {
    this.text += this.#decoder.decode(chunk, { stream: true });
    const blocks = this.text.split(/\r?\n\r?\n/);
    this.text = blocks.pop() ?? "";
    for (const block of blocks) this.#addBlock(block);
  }

  answer(): LlmAnswer {
    this.#addBlock(this.text);
    return this.#reader.answer();
  }

  #addBlock(block: string): void {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim())
      .join("\n");
    if (data !== "" && data !== "[DONE]") this.#reader.add(parseJson(data));
  }
}

function errorText(status: number, text: string): string {
  const { error, message } = fieldsOf(parseJson(text));
  return `${status} ${textOf(fieldsOf(error).message) ?? textOf(error) ?? textOf(message) ?? text.slice(0, 500)}`.trim();
}

function pathOf(input: unknown): string {
  try {
    return new URL(typeof input === "object" && input && "url" in input ? String(input.url) : String(input))
      .pathname;
  } catch {
    return "";
  }
}

interface CopyableClient {
  fetch?: unknown;
  _options?: object;
  withOptions?(options: { fetch: Fetch }): unknown;
}

/** A client like the given one, of the same class, that is watched. The given one stays as it is. */
export function watchClient<Client extends object>(client: Client, provider: Provider): Client {
  const { fetch: own, withOptions, _options } = client as Client & CopyableClient;
  const inner = typeof own === "function" ? (own as Fetch) : fetch;
  const observed = observeFetch((...args) => inner(...args), provider);
  if (typeof withOptions === "function") return withOptions.call(client, { fetch: observed }) as Client;
  if (_options)
    return Reflect.construct(client.constructor as new () => unknown, [
      { ..._options, fetch: observed },
    ]) as Client;
  activeClient().report("misuse", "this client cannot be wrapped: it takes no fetch of one's own");
  return client;
}
