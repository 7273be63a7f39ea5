import type { JsonLine } from "./json-document.ts";
import type { Message } from "./message.ts";

/** The calls from the page to its payload worker. */
export interface PayloadCalls {
  open: {
    request: Source & { pick: string | null; doc: number; columns: number };
    response: DocumentState;
  };
  /** Fetches a newer version into an open document; null if its value is the same. */
  update: {
    request: Source & { pick: string | null; doc: number; columns: number };
    response: DocumentState | null;
  };
  lines: { request: { doc: number; from: number; to: number }; response: JsonLine[] };
  toggle: { request: { doc: number; node: number; isNested: boolean }; response: DocumentState };
  wrap: { request: { doc: number; columns: number }; response: DocumentState };
  search: { request: { doc: number; text: string }; response: number };
  reveal: { request: { doc: number; matchIndex: number }; response: DocumentState & { line: number } };
  text: { request: { doc: number }; response: string };
  close: { request: { doc: number }; response: null };
  messages: { request: Source & ShownBefore; response: Conversation | null };
  tool: { request: Source; response: ToolTexts };
  markdown: { request: Source; response: string };
}

/** A payload as it was at a time or later: a response that was requested earlier is fetched again. */
export interface Source {
  url: string;
  fetchedSinceMs: number;
}

export interface DocumentState {
  lineCount: number;
  isNull: boolean;
  /** Changes when the document got a new value. */
  revision: number;
}

/** What a reader has seen already: it is not repeated. */
export interface ShownBefore {
  /** The calls that may be the one before. */
  previousUrls: readonly string[];
  /** The span that says in plain text what was asked; null if none is shown. */
  requestUrl: string | null;
}

/** Empty if there is none. */
export interface ToolTexts {
  input: string;
  output: string;
}

export interface Conversation {
  messages: Message[];
  /** The number of messages left out, because the previous call already contained them. */
  earlierCount: number;
  /** How many messages, at the end, are the call's output; the others are its input. */
  outputCount: number;
}

export type PayloadCall = keyof PayloadCalls;
export interface WorkerRequest<T extends PayloadCall = PayloadCall> {
  id: number;
  call: T;
  request: PayloadCalls[T]["request"];
}
export type WorkerResponse =
  | { id: number; response: PayloadCalls[PayloadCall]["response"] }
  | { id: number; error: string; status: number };
