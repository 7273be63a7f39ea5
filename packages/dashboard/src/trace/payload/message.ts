export type PartKind = "text" | "reasoning" | "call" | "result" | "media" | "data";

export interface MessagePart {
  kind: PartKind;
  text: string;
  /** The name of the tool, or the kind of media. */
  name?: string | undefined;
  /** Connects a tool result with its call. */
  callId?: string | undefined;
  isError?: boolean | undefined;
}

/** One message of a conversation with a model, in a form that does not depend on the provider. */
export interface Message {
  role: string;
  parts: MessagePart[];
}
