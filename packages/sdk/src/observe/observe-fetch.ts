import { activeClient } from "../global-state.ts";
import { reportErrors } from "../report-errors.ts";
import type { LlmCall, LlmResponse } from "./llm-call.ts";
import { observeStream } from "./observe-stream.ts";
import { errorText, parseJson } from "./read-json.ts";

/*
 * Provider clients accept a custom fetch. Observing calls there leaves the client's promises, streams, retries, errors
 * and types unchanged. The body is passed on chunk by chunk as the client pulls it: nothing is read ahead, and an
 * abort or a cancelled stream still reaches the provider.
 */

type Fetch = typeof fetch;

/** Assembles a response from the events of a stream. */
export interface StreamReader {
  add(event: unknown): void;
  response(): LlmResponse;
}

interface Provider {
  /** Returns undefined for a request that does not call a model. */
  startCall(path: string, body: unknown): LlmCall | undefined;
  readResponse(path: string, body: unknown): LlmResponse;
  createStreamReader(path: string): StreamReader;
}

function observeFetch(inner: Fetch, provider: Provider): Fetch {
  return async (input, init) => {
    const path = pathOf(input);
    const call = reportErrors(() =>
      init?.method?.toUpperCase() === "POST" && typeof init.body === "string"
        ? provider.startCall(path, parseJson(init.body))
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
    return reportErrors(() => observeResponse(response, call, provider, path)) ?? response;
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
  const reader: BodyReader = isStream
    ? new EventStreamReader(provider.createStreamReader(path))
    : new JsonBodyReader((text) => provider.readResponse(path, parseJson(text)));
  const observed = new Response(
    observeStream(body, {
      add: (chunk) => reader.add(chunk),
      // OpenAI's client cancels a stream after its last event; the response is complete all the same.
      end: (message) =>
        response.ok
          ? call.end(reader.response(), reader.isDone ? undefined : message)
          : call.fail(errorMessage(status, reader.text)),
      fail: (error) => call.fail(error, isStream ? reader.response() : {}),
    }),
    {
      status,
      statusText: response.statusText,
      headers: response.headers,
    },
  );
  // The constructor of Response cannot set these.
  for (const field of ["url", "redirected", "type"] as const)
    Object.defineProperty(observed, field, { value: response[field] });
  return observed;
}

interface BodyReader {
  text: string;
  /** The event that marks the end of the stream has been read. */
  isDone?: boolean;
  add(chunk: Uint8Array): void;
  response(): LlmResponse;
}

class JsonBodyReader implements BodyReader {
  text = "";
  readonly #decoder = new TextDecoder();
  readonly #read: (text: string) => LlmResponse;

  constructor(read: (text: string) => LlmResponse) {
    this.#read = read;
  }

  add(chunk: Uint8Array): void {
    this.text += this.#decoder.decode(chunk, { stream: true });
  }

  response(): LlmResponse {
    return this.#read(this.text);
  }
}

/** Server-sent events: an empty line ends an event, and its payload is in the lines that start with `data:`. */
class EventStreamReader implements BodyReader {
  text = "";
  isDone = false;
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

  response(): LlmResponse {
    this.#addBlock(this.text);
    return this.#reader.response();
  }

  #addBlock(block: string): void {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim())
      .join("\n");
    if (data === "[DONE]") this.isDone = true;
    else if (data !== "") this.#reader.add(parseJson(data));
  }
}

function errorMessage(status: number, text: string): string {
  return `${status} ${errorText(parseJson(text)) ?? text.slice(0, 500)}`.trim();
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

/** Returns a copy of the client, of the same class, whose calls are recorded. The given client is not changed. */
export function wrapClient<Client extends object>(client: Client, provider: Provider): Client {
  const { fetch: own, withOptions, _options } = client as Client & CopyableClient;
  const inner = typeof own === "function" ? (own as Fetch) : fetch;
  const observed = observeFetch((...args) => inner(...args), provider);
  if (typeof withOptions === "function") return withOptions.call(client, { fetch: observed }) as Client;
  if (_options)
    return Reflect.construct(client.constructor as new () => unknown, [
      { ..._options, fetch: observed },
    ]) as Client;
  activeClient().report("misuse", "this client cannot be wrapped: it does not accept a custom fetch");
  return client;
}
