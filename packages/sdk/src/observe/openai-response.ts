import type { LlmResponse } from "./llm-call.ts";
import type { StreamReader } from "./observe-fetch.ts";
import { openaiUsage } from "./openai-usage.ts";
import { asArray, asObject, errorText, nonEmptyString } from "./read-json.ts";
import { isToolCall, itemCall } from "./tool-call.ts";

/** Reads a response of the Responses API. One that ran out of tokens is incomplete, which is no error. */
export function readResponse(body: unknown): LlmResponse {
  const { model, output, usage, status, incomplete_details } = asObject(body);
  const items = asArray(output).map(asObject);
  const joinText = (type: string, ...fields: string[]) =>
    items
      .filter((item) => item.type === type)
      .flatMap((item) => fields.flatMap((field) => asArray(item[field])))
      .flatMap((part) => nonEmptyString(asObject(part).text) ?? [])
      .join("\n");
  return {
    model: nonEmptyString(model),
    output: items,
    ...openaiUsage(usage),
    toolCalls: items.filter(isToolCall).map(itemCall),
    reasoning: joinText("reasoning", "summary", "content") || joinText("message", "content"),
    finishReason: nonEmptyString(asObject(incomplete_details).reason) ?? nonEmptyString(status),
    error: status === "failed" ? (errorText(body) ?? "the response failed") : undefined,
  };
}

/** The last event holds the whole response. If the stream ends early, only finished items and text are known. */
export class ResponseReader implements StreamReader {
  #last: unknown;
  /** Text of the message that has not finished. */
  #text = "";
  #error: string | undefined;
  readonly #items: unknown[] = [];

  add(event: unknown): void {
    const { type, response, delta, item } = asObject(event);
    if (response !== undefined) this.#last = response;
    if (type === "error") this.#error = errorText(event) ?? "error";
    if (type === "response.output_item.done") {
      this.#items.push(item);
      if (asObject(item).type === "message") this.#text = "";
    }
    if (type === "response.output_text.delta") this.#text += nonEmptyString(delta) ?? "";
  }

  response(): LlmResponse {
    const last = asObject(this.#last);
    const content = [{ type: "output_text", text: this.#text }];
    const unfinished = this.#text ? [{ type: "message", role: "assistant", content }] : [];
    const isWhole = asArray(last.output).length > 0;
    const response = readResponse(isWhole ? last : { ...last, output: [...this.#items, ...unfinished] });
    return { ...response, error: response.error ?? this.#error };
  }
}
