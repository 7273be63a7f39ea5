import type { WholeTrace } from "@whytrace/contract";
import { JsonDocument } from "./json-document.ts";
import { omitEarlierMessages } from "./omit-earlier-messages.ts";
import type { PayloadCall, PayloadCalls, WorkerRequest, WorkerResponse } from "./payload-protocol.ts";
import { readMessages } from "./read-messages.ts";
import { traceMarkdown } from "./trace-markdown.ts";

/* Fetches, parses and lays out payloads in a worker, so that large ones do not block the page. */

const CACHE_SIZE = 6;
const cache = new Map<string, Promise<unknown>>();
const documents = new Map<number, { value: unknown; document: JsonDocument }>();

class RequestError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function fetchJson(url: string): Promise<unknown> {
  const cached = cache.get(url);
  if (cached) return cached;
  const fetching = fetch(url.split("#")[0] ?? url, { credentials: "same-origin" }).then(
    async (response) => {
      const body: unknown = await response.json().catch(() => null);
      if (response.ok) return body;
      const { error = response.statusText } = (body ?? {}) as { error?: string };
      throw new RequestError(response.status, error);
    },
    () => {
      throw new RequestError(0, "Cannot reach the server. Check your connection.");
    },
  );
  cache.set(url, fetching);
  fetching.catch(() => cache.delete(url));
  for (const old of [...cache.keys()].slice(0, -CACHE_SIZE)) cache.delete(old);
  return fetching;
}

const openDocument = (doc: number) => {
  const entry = documents.get(doc);
  if (!entry) throw new RequestError(0, "This payload was closed");
  return entry;
};
const stateOf = (doc: number) => {
  const { document, value } = openDocument(doc);
  return { lineCount: document.lineCount, isNull: value === null || value === undefined };
};

const calls: {
  [T in PayloadCall]: (request: PayloadCalls[T]["request"]) => Promise<PayloadCalls[T]["response"]>;
} = {
  async open({ url, pick, doc, columns }) {
    const whole = await fetchJson(url);
    const value = pick === null ? whole : (whole as Record<string, unknown>)[pick];
    documents.set(doc, { value, document: new JsonDocument(value ?? null, columns) });
    return stateOf(doc);
  },
  lines: async ({ doc, from, to }) => openDocument(doc).document.lines(from, to),
  async toggle({ doc, node, isNested }) {
    const { document } = openDocument(doc);
    if (isNested) document.toggleNested(node);
    else document.toggle(node);
    return stateOf(doc);
  },
  async wrap({ doc, columns }) {
    openDocument(doc).document.wrapAt(columns);
    return stateOf(doc);
  },
  search: async ({ doc, text }) => openDocument(doc).document.search(text),
  async reveal({ doc, matchIndex }) {
    const line = openDocument(doc).document.reveal(matchIndex);
    return { ...stateOf(doc), line };
  },
  async text({ doc }) {
    const { value } = openDocument(doc);
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  },
  async close({ doc }) {
    documents.delete(doc);
    return null;
  },
  async messages({ url, previousUrl }) {
    const { input, output } = (await fetchJson(url)) as { input: unknown; output: unknown };
    const messages = readMessages(input, output);
    if (!messages) return null;
    if (previousUrl === null)
      return { messages: omitEarlierMessages(messages, null).messages, earlierCount: 0 };
    const previous = (await fetchJson(previousUrl)) as { input: unknown; output: unknown };
    return omitEarlierMessages(messages, readMessages(previous.input, previous.output));
  },
  markdown: async ({ url }) => traceMarkdown((await fetchJson(url)) as WholeTrace),
};

async function handle<T extends PayloadCall>({
  id,
  call,
  request,
}: WorkerRequest<T>): Promise<WorkerResponse> {
  try {
    return { id, response: await calls[call](request) };
  } catch (error) {
    const status = error instanceof RequestError ? error.status : 0;
    return { id, error: error instanceof Error ? error.message : String(error), status };
  }
}

addEventListener(
  "message",
  (event: MessageEvent<WorkerRequest>) => void handle(event.data).then((response) => postMessage(response)),
);
