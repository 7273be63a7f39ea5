import type { SharedTrace } from "@whytrace/contract";
import { parseExactJson, parseExactValues } from "../../client/parse-exact-json.ts";
import { JsonDocument } from "./json-document.ts";
import type { Message } from "./message.ts";
import { omitEarlierMessages } from "./omit-earlier-messages.ts";
import type { PayloadCall, PayloadCalls, Source, WorkerRequest, WorkerResponse } from "./payload-protocol.ts";
import { readMessages } from "./read-messages.ts";
import { readTool } from "./read-tool.ts";
import { traceMarkdown } from "./trace-markdown.ts";

/* Fetches, parses and lays out payloads in a worker, so that large ones do not block the page. */

const CACHE_SIZE = 12;

interface ParsedResponse {
  text: string;
  value: unknown;
}
interface CachedResponse {
  requestedAtMs: number;
  response: Promise<ParsedResponse>;
}

const cache = new Map<string, CachedResponse>();
const documents = new Map<number, { value: unknown; document: JsonDocument; revision: number }>();

class RequestError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function fetchJson({ url, fetchedSinceMs }: Source): Promise<ParsedResponse> {
  const cached = cache.get(url);
  if (cached && cached.requestedAtMs >= fetchedSinceMs) return cached.response;
  const requestedAtMs = Date.now();
  const response = requestJson(url, cached);
  cache.delete(url);
  cache.set(url, { requestedAtMs, response });
  response.catch(() => cache.get(url)?.response === response && cache.delete(url));
  for (const old of [...cache.keys()].slice(0, -CACHE_SIZE)) cache.delete(old);
  return response;
}

/** Returns the cached value itself if the response has not changed. */
async function requestJson(url: string, cached: CachedResponse | undefined): Promise<ParsedResponse> {
  const response = await fetch(url, { credentials: "same-origin" }).catch(() => {
    throw new RequestError(0, "Cannot reach the server. Check your connection.");
  });
  const text = await response.text();
  if (!response.ok) throw new RequestError(response.status, errorText(text) ?? response.statusText);
  const before = await cached?.response.catch(() => undefined);
  return before?.text === text ? before : { text, value: parseExactJson(text) };
}

function errorText(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error;
  } catch {
    return undefined;
  }
}

const pickFrom = ({ value }: ParsedResponse, pick: string | null) =>
  pick === null ? value : (value as Record<string, unknown>)[pick];

const openDocument = (doc: number) => {
  const entry = documents.get(doc);
  if (!entry) throw new RequestError(0, "This payload was closed");
  return entry;
};
const stateOf = (doc: number) => {
  const { document, value, revision } = openDocument(doc);
  return { lineCount: document.lineCount, isNull: value === null || value === undefined, revision };
};

const payloadsIn = ({ value }: ParsedResponse) => value as { input: unknown; output: unknown };

const messagesIn = (response: ParsedResponse) => {
  const { input, output } = payloadsIn(response);
  return readMessages(input, output);
};

/** What was asked in plain text. */
const requestIn = (response: ParsedResponse): Message[] => {
  const { input } = payloadsIn(response);
  return typeof input === "string" ? [{ role: "user", parts: [{ kind: "text", text: input }] }] : [];
};

const calls: {
  [T in PayloadCall]: (request: PayloadCalls[T]["request"]) => Promise<PayloadCalls[T]["response"]>;
} = {
  async open({ pick, doc, columns, ...source }) {
    const value = pickFrom(await fetchJson(source), pick);
    documents.set(doc, { value, document: new JsonDocument(value ?? null, columns), revision: 0 });
    return stateOf(doc);
  },
  async update({ pick, doc, columns, ...source }) {
    const value = pickFrom(await fetchJson(source), pick);
    const before = openDocument(doc);
    if (value === before.value || JSON.stringify(value) === JSON.stringify(before.value)) return null;
    const document = new JsonDocument(value ?? null, columns);
    documents.set(doc, { value, document, revision: before.revision + 1 });
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
  async messages({ previousUrls, requestUrl, ...source }) {
    const read = messagesIn(await fetchJson(source));
    if (!read) return null;
    const previous = await Promise.all(
      previousUrls.map(async (url) => messagesIn(await fetchJson({ ...source, url }))?.messages ?? []),
    );
    const request = requestUrl === null ? [] : [requestIn(await fetchJson({ ...source, url: requestUrl }))];
    return omitEarlierMessages(read, [...previous, ...request]);
  },
  async tool(source) {
    const { input, output } = payloadsIn(await fetchJson(source));
    return readTool(input, output);
  },
  markdown: async (source) => traceMarkdown(parseExactValues((await fetchJson(source)).text) as SharedTrace),
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
