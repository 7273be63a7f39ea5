import type { Message } from "./message.ts";
import type { Conversation } from "./payload-protocol.ts";

const PART_MAX_LENGTH = 20_000;

/** Agents send the whole conversation with every call: what the call before already held is counted, not repeated. */
export function omitEarlierMessages(messages: Message[], before: Message[] | null): Conversation {
  let earlier = 0;
  if (before)
    while (
      earlier < messages.length - 1 &&
      earlier < before.length &&
      JSON.stringify(messages[earlier]) === JSON.stringify(before[earlier])
    )
      earlier++;
  return { messages: messages.slice(earlier).map(shortened), earlier };
}

const shortened = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) =>
    part.text.length <= PART_MAX_LENGTH
      ? part
      : {
          ...part,
          text: `${part.text.slice(0, PART_MAX_LENGTH)}\n… ${(part.text.length - PART_MAX_LENGTH).toLocaleString("en")} more characters`,
        },
  ),
});
