import type { SpanReading } from "../conventions/read-attributes.ts";
import { unflatten } from "../conventions/unflatten.ts";
import { type Answer, readAnswer } from "./read-answer.ts";

/**
 * What a model answered, from all that the span says about it. Calls and reasoning may be in different attributes:
 * OpenInference has the calls in attributes of their own, and the reasoning only in the JSON of the whole response.
 */
export function spanAnswer(reading: SpanReading): Answer {
  const answer: Answer = { calls: [], reasoning: undefined, text: undefined };
  for (const source of answers(reading)) {
    const { calls, reasoning, text } = readAnswer(source);
    if (answer.calls.length === 0) answer.calls = calls;
    answer.reasoning ??= reasoning;
    answer.text ??= text;
    if (answer.calls.length > 0 && answer.reasoning !== undefined) break;
  }
  answer.reasoning ??= reading.slots.reasoning;
  return answer;
}

function* answers(reading: SpanReading) {
  for (const content of reading.contentsOf("toolCalls")) yield content.parsed;
  const messages = reading.flattenedIn("output");
  if (messages) yield unflatten(messages.entries);
  for (const content of reading.contentsOf("output")) yield content.parsed;
  for (const { value } of reading.contentsOf("text")) yield { type: "text", text: value };
}
