import { JsonDocument } from "./json-document.ts";
import { omitEarlierMessages } from "./omit-earlier-messages.ts";
import type { Answer, Ask, PayloadCall, PayloadCalls } from "./payload-protocol.ts";
import { readMessages } from "./read-messages.ts";
import { type ReadTrace, traceMarkdown } from "./trace-markdown.ts";

/* Payloads are read, parsed and laid out here, away from the page, which stays quick whatever their size. */

const KEPT = 6;
const read = new Map<string, Promise<unknown>>();
const documents = new Map<number, { value: unknown; document: JsonDocument }>();

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function readJson(url: string): Promise<unknown> {
  const known = read.get(url);
  if (known) return known;
  const reading = fetch(url.split("#")[0] ?? url, { credentials: "same-origin" }).then(
    async (response) => {
      const body: unknown = await response.json().catch(() => null);
      if (response.ok) return body;
      const { error = response.statusText } = (body ?? {}) as { error?: string };
      throw new Refused(response.status, error);
    },
    () => {
      throw new Refused(0, "The server cannot be reached. Check your connection.");
    },
  );
  read.set(url, reading);
  reading.catch(() => read.delete(url));
  for (const old of [...read.keys()].slice(0, -KEPT)) read.delete(old);
  return reading;
}

const opened = (doc: number) => {
  const entry = documents.get(doc);
  if (!entry) throw new Refused(0, "This payload was closed");
  return entry;
};
const stateOf = (doc: number) => {
  const { document, value } = opened(doc);
  return { lineCount: document.lineCount, isNull: value === null || value === undefined };
};

const calls: { [T in PayloadCall]: (ask: PayloadCalls[T]["ask"]) => Promise<PayloadCalls[T]["answer"]> } = {
  async open({ url, pick, doc, columns }) {
    const whole = await readJson(url);
    const value = pick === null ? whole : (whole as Record<string, unknown>)[pick];
    documents.set(doc, { value, document: new JsonDocument(value ?? null, columns) });
    return stateOf(doc);
  },
  lines: async ({ doc, from, to }) => opened(doc).document.lines(from, to),
  async toggle({ doc, node, isNested }) {
    const { document } = opened(doc);
    if (isNested) document.toggleNested(node);
    else document.toggle(node);
    return stateOf(doc);
  },
  async wrap({ doc, columns }) {
    opened(doc).document.wrapAt(columns);
    return stateOf(doc);
  },
  search: async ({ doc, text }) => opened(doc).document.search(text),
  async reveal({ doc, place }) {
    const line = opened(doc).document.reveal(place);
    return { ...stateOf(doc), line };
  },
  async text({ doc }) {
    const { value } = opened(doc);
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  },
  async close({ doc }) {
    documents.delete(doc);
    return null;
  },
  async messages({ url, before }) {
    const { input, output } = (await readJson(url)) as { input: unknown; output: unknown };
    const messages = readMessages(input, output);
    if (!messages) return null;
    if (before === null) return { messages: omitEarlierMessages(messages, null).messages, earlier: 0 };
    const previous = (await readJson(before)) as { input: unknown; output: unknown };
    return omitEarlierMessages(messages, readMessages(previous.input, previous.output));
  },
  markdown: async ({ url }) => traceMarkdown((await readJson(url)) as ReadTrace),
};

async function answer<T extends PayloadCall>({ id, call, ask }: Ask<T>): Promise<Answer> {
  try {
    return { id, answer: await calls[call](ask) };
  } catch (error) {
    const status = error instanceof Refused ? error.status : 0;
    return { id, error: error instanceof Error ? error.message : String(error), status };
  }
}

addEventListener(
  "message",
  (event: MessageEvent<Ask>) => void answer(event.data).then((it) => postMessage(it)),
);
