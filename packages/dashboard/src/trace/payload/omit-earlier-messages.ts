import type { Message, MessagePart } from "./message.ts";
import type { MessagesOfCall } from "./read-messages.ts";

const MAX_PART_LENGTH = 20_000;
const MAX_KEY_LENGTH = 2_000;

/**
 * Agents send the whole conversation with every call. Leaves out of the input what the previous call sent or received: of
 * several calls that may be the previous one, the one that has most of it. The output is always shown.
 */
export function omitEarlierMessages(read: MessagesOfCall, previous: readonly (readonly Message[])[]) {
  const { messages, outputCount } = read;
  const sent = messages.slice(0, messages.length - outputCount);
  const [input = sent] = previous
    .map((earlier) => newMessages(sent, earlier))
    .sort((one, other) => one.length - other.length);
  return {
    messages: [...input, ...messages.slice(sent.length)].map(truncateParts),
    earlierCount: sent.length - input.length,
    outputCount,
  };
}

/** A text that was said twice is new the second time. */
function newMessages(sent: readonly Message[], earlier: readonly Message[]): Message[] {
  const known = new Map<string, number>();
  for (const part of earlier.flatMap(({ parts }) => parts)) {
    const key = keyOf(part);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const isNew = (part: MessagePart) => {
    const key = keyOf(part);
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count <= 0;
  };
  return sent.flatMap((message) => {
    const parts = message.parts.filter(isNew);
    return parts.length === 0 ? [] : { ...message, parts };
  });
}

/** Blanks in JSON differ between a call and its repetition, and so do ids and names of results. */
const keyOf = ({ kind, name, text }: MessagePart) =>
  `${kind} ${kind === "call" ? name : ""} ${text.length < MAX_KEY_LENGTH ? text.replaceAll(/\s+/g, "") : text.slice(0, MAX_KEY_LENGTH)}`;

const truncateParts = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) =>
    part.text.length <= MAX_PART_LENGTH
      ? part
      : {
          ...part,
          text: `${part.text.slice(0, MAX_PART_LENGTH)}\n… ${(part.text.length - MAX_PART_LENGTH).toLocaleString("en")} more characters`,
        },
  ),
});
