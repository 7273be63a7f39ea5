import type { Usage } from "./observe/call-cost.ts";
import { LlmCall, type LlmResponse, type WrapOptions } from "./observe/llm-call.ts";
import { type StreamReader, wrapClient } from "./observe/observe-fetch.ts";
import {
  asArray,
  asNumber,
  asObject,
  errorText,
  nonEmptyString,
  parseJson,
  toolNames,
} from "./observe/read-json.ts";

export type { Price } from "./observe/call-cost.ts";
export type { WrapOptions } from "./observe/llm-call.ts";

/** Returns a client whose messages are recorded, streamed or not, with a decision for every turn that calls tools. */
export function wrapAnthropic<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  return wrapClient(client, {
    startCall(path, body) {
      if (!path.endsWith("/messages")) return undefined;
      const { model, system, messages, tools, stream, ...settings } = asObject(body);
      return new LlmCall(
        {
          name: "anthropic message",
          model: nonEmptyString(model),
          input: system === undefined ? messages : { system, messages },
          tools: toolNames(tools),
          settings: { ...settings, ...(stream === true && { stream }) },
        },
        options,
      );
    },
    readResponse: (_, body) => readMessage(body),
    createStreamReader: () => new MessageReader(),
  });
}

function readMessage(body: unknown): LlmResponse {
  const { model, content, usage, stop_reason } = asObject(body);
  const blocks = asArray(content).map(asObject);
  const joinText = (type: string, field: string) =>
    blocks
      .filter((block) => block.type === type)
      .flatMap((block) => nonEmptyString(block[field]) ?? [])
      .join("\n");
  return {
    model: nonEmptyString(model),
    output: blocks,
    ...usageOf(usage),
    toolCalls: blocks
      .filter(({ type }) => type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use")
      .map(({ name, input, server_name, toolset_name }) => ({
        name: nonEmptyString(name) ?? "unknown",
        input,
        toolset: nonEmptyString(server_name) ?? nonEmptyString(toolset_name),
      })),
    reasoning: joinText("thinking", "thinking") || joinText("text", "text"),
    finishReason: nonEmptyString(stop_reason),
  };
}

/** Anthropic's `input_tokens` does not include cached tokens. */
function usageOf(usage: unknown): Usage {
  const { input_tokens, output_tokens, output_tokens_details, ...cached } = asObject(usage);
  const cacheReadTokens = asNumber(cached.cache_read_input_tokens);
  const cacheWriteTokens = asNumber(cached.cache_creation_input_tokens);
  const uncached = asNumber(input_tokens);
  return {
    inputTokens:
      uncached === undefined ? undefined : uncached + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: asNumber(output_tokens),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: asNumber(asObject(output_tokens_details).thinking_tokens),
  };
}

/** Assembles a message from the events of Anthropic's streaming protocol. */
class MessageReader implements StreamReader {
  #message: Record<string, unknown> = {};
  #error: string | undefined;
  readonly #blocks: Record<string, unknown>[] = [];
  readonly #inputs = new Map<Record<string, unknown>, string>();

  add(event: unknown): void {
    const { type, message, index, content_block, delta, usage } = asObject(event);
    if (type === "error") this.#error = errorText(event) ?? "error";
    if (type === "message_start") this.#message = { ...asObject(message) };
    const at = asNumber(index) ?? 0;
    if (type === "content_block_start") this.#blocks[at] = { ...asObject(content_block) };
    const block = this.#blocks[at];
    if (type === "content_block_delta" && block) this.#append(block, asObject(delta));
    if (type === "message_delta") {
      Object.assign(this.#message, asObject(delta));
      this.#message.usage = { ...asObject(this.#message.usage), ...asObject(usage) };
    }
  }

  #append(block: Record<string, unknown>, delta: Readonly<Record<string, unknown>>): void {
    for (const field of ["text", "thinking", "signature"])
      if (nonEmptyString(delta[field])) block[field] = `${nonEmptyString(block[field]) ?? ""}${delta[field]}`;
    const input = nonEmptyString(delta.partial_json);
    if (input) this.#inputs.set(block, (this.#inputs.get(block) ?? "") + input);
  }

  response(): LlmResponse {
    for (const [block, input] of this.#inputs) block.input = parseJson(input);
    return {
      ...readMessage({ ...this.#message, content: this.#blocks.filter(Boolean) }),
      error: this.#error,
    };
  }
}
