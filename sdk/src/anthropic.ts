import { type LlmAnswer, LlmCall, type WrapOptions } from "./llm-call.ts";
import { type StreamReader, watchClient } from "./observe-fetch.ts";
import { fieldsOf, listOf, numberOf, parseJson, textOf, toolNames } from "./read-json.ts";

export type { Price, WrapOptions } from "./llm-call.ts";

/** An Anthropic client whose messages are recorded, streamed or not, with every tool the model chose as a decision. */
export function wrapAnthropic<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  return watchClient(client, {
    begin(path, body) {
      if (!path.endsWith("/messages")) return undefined;
      const { model, system, messages, tools, stream, ...settings } = fieldsOf(body);
      return new LlmCall(
        {
          name: "anthropic message",
          model: textOf(model),
          input: system === undefined ? messages : { system, messages },
          tools: toolNames(tools),
          settings: { ...settings, ...(stream === true && { stream }) },
        },
        options,
      );
    },
    read: (_, body) => readMessage(body),
    stream: () => new MessageStream(),
  });
}

function readMessage(body: unknown): LlmAnswer {
  const { model, content, usage, stop_reason } = fieldsOf(body);
  const blocks = listOf(content).map(fieldsOf);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
    fieldsOf(usage);
  const textsOf = (type: string, field: string) =>
    blocks
      .filter((block) => block.type === type)
      .flatMap((block) => textOf(block[field]) ?? [])
      .join("\n");
  const inputs = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens].map(numberOf);
  return {
    model: textOf(model),
    output: blocks,
    inputTokens:
      inputs[0] === undefined ? undefined : inputs.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    outputTokens: numberOf(output_tokens),
    toolCalls: blocks
      .filter(({ type }) => type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use")
      .map(({ name, input }) => ({ name: textOf(name) ?? "unknown", input })),
    reasoning: textsOf("thinking", "thinking") || textsOf("text", "text"),
    finishReason: textOf(stop_reason),
  };
}

/** Puts the message together from its pieces, as the stream's protocol says. */
class MessageStream implements StreamReader {
  #message: Record<string, unknown> = {};
  readonly #blocks: Record<string, unknown>[] = [];
  readonly #inputs = new Map<Record<string, unknown>, string>();

  add(event: unknown): void {
    const { type, message, index, content_block, delta, usage } = fieldsOf(event);
    if (type === "message_start") this.#message = { ...fieldsOf(message) };
    const at = numberOf(index) ?? 0;
    if (type === "content_block_start") this.#blocks[at] = { ...fieldsOf(content_block) };
    const block = this.#blocks[at];
    if (type === "content_block_delta" && block) this.#append(block, fieldsOf(delta));
    if (type === "message_delta") {
      Object.assign(this.#message, fieldsOf(delta));
      this.#message.usage = { ...fieldsOf(this.#message.usage), ...fieldsOf(usage) };
    }
  }

  #append(block: Record<string, unknown>, delta: Readonly<Record<string, unknown>>): void {
    for (const field of ["text", "thinking", "signature"])
      if (textOf(delta[field])) block[field] = `${textOf(block[field]) ?? ""}${delta[field]}`;
    const input = textOf(delta.partial_json);
    if (input) this.#inputs.set(block, (this.#inputs.get(block) ?? "") + input);
  }

  answer(): LlmAnswer {
    for (const [block, input] of this.#inputs) block.input = parseJson(input);
    return readMessage({ ...this.#message, content: this.#blocks.filter(Boolean) });
  }
}
