import type { Turn } from "./turn.ts";

/* Responses of OpenAI's API for a turn: 1,000 input tokens and 200 output tokens each. */

const chatUsage = ({ cacheRead, cacheWrite, reasoningTokens }: Turn) => ({
  prompt_tokens: 1_000,
  completion_tokens: 200,
  total_tokens: 1_200,
  prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
});

const chatCall = ({ name, input, kind }: Turn["calls"][number], index: number) => ({
  id: `t${index}`,
  ...(kind === "custom"
    ? { type: "custom", custom: { name, input: String(input) } }
    : { type: "function", function: { name, arguments: JSON.stringify(input) } }),
});

export const chat = (turn: Turn) => {
  const { text, calls, error } = turn;
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "gpt-test-2026",
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }),
        },
      },
    ],
    usage: chatUsage(turn),
    ...(error && { choices: [], error: { message: error, code: 502 } }),
  };
};

export function chatChunks(turn: Turn): unknown[] {
  const { text, calls, error } = turn;
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-test-2026",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const words = text.split(" ").map((word, index) => chunk({ content: index ? ` ${word}` : word }));
  const started = [chunk({ role: "assistant", content: "" }), ...words];
  if (error) return [...started, { error: { message: error, type: "server_error" } }];
  const piecesOf = ({ name, input, kind }: Turn["calls"][number], index: number) => {
    const [type, field] = kind === "custom" ? ["custom", "input"] : ["function", "arguments"];
    const text = kind === "custom" ? String(input) : JSON.stringify(input);
    const piece = (fields: object) => chunk({ tool_calls: [{ index, ...fields }] });
    return [
      piece({ id: `t${index}`, type, [type]: { name, [field]: "" } }),
      piece({ [type]: { [field]: text.slice(0, 1) } }),
      piece({ [type]: { [field]: text.slice(1) } }),
    ];
  };
  return [
    ...started,
    ...calls.flatMap(piecesOf),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    { ...chunk({}), choices: [], usage: chatUsage(turn) },
  ];
}

const outputOf = ({ text, reasoning, calls }: Turn): Record<string, unknown>[] =>
  calls.length > 0
    ? [
        { id: "rs", type: "reasoning", summary: [{ type: "summary_text", text: reasoning }] },
        ...calls.map(({ name, input, kind }, index) => ({
          id: `f${index}`,
          status: "completed",
          ...(kind === "built-in" ? { type: `${name}_call`, action: input } : { call_id: `t${index}`, name }),
          ...(kind === "custom" && { type: "custom_tool_call", input: String(input) }),
          ...(kind === undefined && { type: "function_call", arguments: JSON.stringify(input) }),
        })),
      ]
    : [
        {
          id: "m",
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ];

const statusOf = ({ error, incomplete }: Turn) =>
  error ? "failed" : incomplete ? "incomplete" : "completed";

export const responseOf = (turn: Turn, status = statusOf(turn)) => ({
  id: "r",
  object: "response",
  created_at: 1,
  status,
  model: "gpt-test-2026",
  error: status === "failed" ? { code: "server_error", message: turn.error } : null,
  incomplete_details: status === "incomplete" ? { reason: turn.incomplete } : null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  output: status === "completed" || status === "incomplete" ? outputOf(turn) : [],
  usage: {
    input_tokens: 1_000,
    output_tokens: 200,
    total_tokens: 1_200,
    input_tokens_details: { cached_tokens: turn.cacheRead, cache_write_tokens: turn.cacheWrite },
    output_tokens_details: { reasoning_tokens: turn.reasoningTokens },
  },
});

export function responseEvents(turn: Turn): unknown[] {
  const items = outputOf(turn).flatMap((item, output_index) => [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...("content" in item && { content: [] }), ...("summary" in item && { summary: [] }) },
    },
    ...("content" in item
      ? [
          {
            type: "response.content_part.added",
            item_id: "m",
            output_index,
            content_index: 0,
            part: { type: "output_text", text: "", annotations: [] },
          },
          ...turn.text.split(/(?= )/).map((delta) => ({
            type: "response.output_text.delta",
            item_id: "m",
            output_index,
            content_index: 0,
            delta,
            logprobs: [],
          })),
        ]
      : []),
    ...(item.type === "reasoning"
      ? [
          {
            type: "response.reasoning_summary_part.added",
            item_id: "rs",
            output_index,
            summary_index: 0,
            part: { type: "summary_text", text: "" },
          },
          {
            type: "response.reasoning_summary_text.delta",
            item_id: "rs",
            output_index,
            summary_index: 0,
            delta: turn.reasoning,
          },
        ]
      : []),
    ...(turn.error ? [] : [{ type: "response.output_item.done", output_index, item }]),
  ]);
  return [
    { type: "response.created", response: responseOf(turn, "in_progress") },
    ...items,
    { type: `response.${statusOf(turn)}`, response: responseOf(turn) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}
