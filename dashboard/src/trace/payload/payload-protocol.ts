import type { JsonLine } from "./json-document.ts";
import type { Message } from "./message.ts";

/** The calls from the page to its payload worker. */
export interface PayloadCalls {
  open: {
    request: { url: string; pick: string | null; doc: number; columns: number };
    response: DocumentState;
  };
  lines: { request: { doc: number; from: number; to: number }; response: JsonLine[] };
  toggle: { request: { doc: number; node: number; isNested: boolean }; response: DocumentState };
  wrap: { request: { doc: number; columns: number }; response: DocumentState };
  search: { request: { doc: number; text: string }; response: number };
  reveal: { request: { doc: number; matchIndex: number }; response: DocumentState & { line: number } };
  text: { request: { doc: number }; response: string };
  close: { request: { doc: number }; response: null };
  messages: { request: { url: string; previousUrl: string | null }; response: Conversation | null };
  markdown: { request: { url: string }; response: string };
}

export interface DocumentState {
  lineCount: number;
  isNull: boolean;
}

export interface Conversation {
  messages: Message[];
  /** The number of leading messages left out, because the previous call already contained them. */
  earlierCount: number;
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
