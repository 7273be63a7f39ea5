import type { Turn } from "./turn.ts";

/* Responses of Anthropic's API for a turn: 1,000 input tokens, whether cached or not, and 200 output tokens each. */

type Block = { type: string } & Record<string, unknown>;

const blocksOf = ({ text, reasoning, calls }: Turn): Block[] =>
  reasoning === undefined
    ? [{ type: "text", text }]
    : [
        { type: "thinking", thinking: reasoning, signature: "sig" },
        ...calls.map(({ name, input, kind }, index) => ({
          type: kind === "built-in" ? "server_tool_use" : "tool_use",
          id: `t${index}`,
          name,
          input,
        })),
      ];

const usageOf = ({ cacheRead, cacheWrite, reasoningTokens }: Turn, output_tokens: number) => ({
  input_tokens: 1_000 - cacheRead - cacheWrite,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
  output_tokens,
  output_tokens_details: { thinking_tokens: reasoningTokens },
});

export const message = (turn: Turn) => ({
  id: "msg",
  type: "message",
  role: "assistant",
  model: "claude-test-2026",
  content: blocksOf(turn),
  stop_reason: turn.calls.length > 0 ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: usageOf(turn, 200),
});

export function messageEvents(turn: Turn): unknown[] {
  const pieces = blocksOf(turn).flatMap((block, index) => {
    const start = (content_block: unknown) => ({ type: "content_block_start", index, content_block });
    const delta = (fields: unknown) => ({ type: "content_block_delta", index, delta: fields });
    const stop = { type: "content_block_stop", index };
    if (block.type === "text")
      return [
        start({ type: "text", text: "" }),
        ...turn.text.split(/(?= )/).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    if (block.type === "thinking")
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: turn.reasoning }),
        delta({ type: "signature_delta", signature: "sig" }),
        stop,
      ];
    const input = JSON.stringify(block.input);
    return [
      start({ ...block, input: {} }),
      delta({ type: "input_json_delta", partial_json: input.slice(0, 5) }),
      delta({ type: "input_json_delta", partial_json: input.slice(5) }),
      stop,
    ];
  });
  const started = { ...message(turn), content: [], stop_reason: null, usage: usageOf(turn, 1) };
  if (turn.error)
    return [
      { type: "message_start", message: started },
      ...pieces.slice(0, 3),
      { type: "error", error: { type: "overloaded_error", message: turn.error } },
    ];
  return [
    { type: "message_start", message: started },
    ...pieces,
    {
      type: "message_delta",
      delta: { stop_reason: message(turn).stop_reason, stop_sequence: null },
      usage: { output_tokens: 200 },
    },
    { type: "message_stop" },
  ];
}
