export type PartKind = "text" | "reasoning" | "call" | "result" | "media" | "data";

export interface MessagePart {
  kind: PartKind;
  text: string;
  /** The tool's name, or the medium's. */
  name?: string | undefined;
  /** What a result is the result of. */
  callId?: string | undefined;
  isError?: boolean | undefined;
}

/** One turn of a conversation with a model, whichever provider it was sent to. */
export interface Message {
  role: string;
  parts: MessagePart[];
}
