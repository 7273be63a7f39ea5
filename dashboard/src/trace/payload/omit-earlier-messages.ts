import type { Message } from "./message.ts";

const MAX_PART_LENGTH = 20_000;

/** Agents send the whole conversation with every call. Counts the messages of the previous call instead of repeating them. */
export function omitEarlierMessages(messages: Message[], previous: Message[] | null) {
  let earlierCount = 0;
  if (previous)
    while (
      earlierCount < messages.length - 1 &&
      earlierCount < previous.length &&
      JSON.stringify(messages[earlierCount]) === JSON.stringify(previous[earlierCount])
    )
      earlierCount++;
  return { messages: messages.slice(earlierCount).map(truncateParts), earlierCount };
}

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
