import { LlmCall, type WrapOptions } from "./observe/llm-call.ts";
import { wrapClient } from "./observe/observe-fetch.ts";
import { CompletionReader, readCompletion } from "./observe/openai-completion.ts";
import { ResponseReader, readResponse } from "./observe/openai-response.ts";
import { asObject, nonEmptyString, toolNames } from "./observe/read-json.ts";

export type { Price } from "./observe/call-cost.ts";
export type { WrapOptions } from "./observe/llm-call.ts";

/**
 * Returns an OpenAI client whose calls are recorded: chat completions, responses and embeddings, streamed or not, with a
 * decision for every turn in which the model calls tools. It also works with other providers that offer an
 * OpenAI-compatible API.
 */
export function wrapOpenAI<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  return wrapClient(client, {
    startCall(path, body) {
      const name = SPAN_NAMES.find(([end]) => path.endsWith(end))?.[1];
      if (!name) return undefined;
      const { model, messages, input, instructions, prompt, tools, functions, stream, ...settings } =
        asObject(body);
      return new LlmCall(
        {
          name,
          model: nonEmptyString(model),
          input: messages ?? (instructions === undefined ? (input ?? prompt) : { instructions, input }),
          tools: [...toolNames(tools), ...toolNames(functions)],
          settings: { ...settings, ...(stream === true && { stream }) },
        },
        options,
      );
    },
    readResponse: (path, body) => (path.endsWith("/responses") ? readResponse(body) : readCompletion(body)),
    createStreamReader: (path) =>
      path.endsWith("/responses") ? new ResponseReader() : new CompletionReader(),
  });
}

const SPAN_NAMES = [
  ["/chat/completions", "openai chat"],
  ["/responses", "openai response"],
  ["/embeddings", "openai embeddings"],
  ["/completions", "openai completion"],
] as const;
