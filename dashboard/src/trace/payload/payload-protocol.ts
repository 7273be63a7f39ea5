import type { JsonLine } from "./json-document.ts";
import type { Message } from "./message.ts";

/** What the page asks of its worker, and what it gets. */
export interface PayloadCalls {
  open: { ask: { url: string; pick: string | null; doc: number; columns: number }; answer: DocumentState };
  lines: { ask: { doc: number; from: number; to: number }; answer: JsonLine[] };
  toggle: { ask: { doc: number; node: number; isNested: boolean }; answer: DocumentState };
  wrap: { ask: { doc: number; columns: number }; answer: DocumentState };
  search: { ask: { doc: number; text: string }; answer: number };
  reveal: { ask: { doc: number; place: number }; answer: DocumentState & { line: number } };
  text: { ask: { doc: number }; answer: string };
  close: { ask: { doc: number }; answer: null };
  messages: { ask: { url: string; before: string | null }; answer: Conversation | null };
  markdown: { ask: { url: string }; answer: string };
}

export interface DocumentState {
  lineCount: number;
  isNull: boolean;
}

export interface Conversation {
  messages: Message[];
  /** How many at the beginning were said before. */
  earlier: number;
}

export type PayloadCall = keyof PayloadCalls;
export interface Ask<T extends PayloadCall = PayloadCall> {
  id: number;
  call: T;
  ask: PayloadCalls[T]["ask"];
}
export type Answer =
  | { id: number; answer: PayloadCalls[PayloadCall]["answer"] }
  | { id: number; error: string; status: number };
