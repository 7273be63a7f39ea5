import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeServer, respondJson, startFakeServer } from "./fake-server.ts";

/*
 * A fake of the OpenAI and Anthropic APIs on loopback. The prompt selects the response: "weather" calls a tool, "fail"
 * is an error, "flaky" fails once, "endless" streams until the client disconnects, and any other prompt returns text.
 */

export interface Providers extends FakeServer {
  /** Prompts of the endless streams from which the client disconnected. */
  cancelledStreams: string[];
}

export async function startProviders(): Promise<Providers> {
  const seen = new Set<string>();
  const providers: { cancelledStreams: string[] } = { cancelledStreams: [] };
  const fakeServer = await startFakeServer(async (request, response, body) => {
    const { tools: _, stream, ...rest } = JSON.parse(body || "{}");
    const asked = JSON.stringify(rest);
    response.setHeader("x-request-id", "req_1");
    if (asked.includes("fail"))
      return respondJson(response, 400, {
        error: { type: "invalid_request_error", message: "bad request", code: "bad" },
      });
    if (asked.includes("flaky") && !seen.has(asked)) {
      seen.add(asked);
      return respondJson(response, 503, { error: { message: "overloaded" } }, { "retry-after-ms": "5" });
    }
    const isTool = asked.includes("weather") && !asked.includes("22 degrees");
    if (asked.includes("endless"))
      return sendEndlessStream(response, request, () => providers.cancelledStreams.push(asked));
    const path = request.url?.split("?")[0] ?? "";
    if (path.endsWith("/chat/completions"))
      return stream ? sendEvents(response, chatChunks(isTool)) : respondJson(response, 200, chat(isTool));
    if (path.endsWith("/responses"))
      return stream
        ? sendEvents(response, responseEvents(isTool))
        : respondJson(response, 200, responseOf(isTool));
    if (path.endsWith("/embeddings"))
      return respondJson(response, 200, {
        object: "list",
        model: "text-embedding-test",
        data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      });
    if (path.endsWith("/messages"))
      return stream
        ? sendEvents(response, messageEvents(isTool), true)
        : respondJson(response, 200, message(isTool));
    respondJson(response, 404, { error: { message: "no such path" } });
  });
  return Object.assign(providers, fakeServer);
}

async function sendEndlessStream(
  response: ServerResponse,
  request: IncomingMessage,
  onDisconnect: () => void,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let isDisconnected = false;
  response.on("close", () => {
    isDisconnected = true;
    onDisconnect();
  });
  const isAnthropic = request.url?.includes("/messages");
  if (isAnthropic) response.write(eventText(messageEvents(false)[0]) + eventText(messageEvents(false)[1]));
  while (!isDisconnected) {
    response.write(
      eventText(
        isAnthropic
          ? { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "on " } }
          : {
              id: "c",
              object: "chat.completion.chunk",
              created: 1,
              model: "gpt-test",
              choices: [{ index: 0, delta: { content: "on " } }],
            },
      ),
    );
    await sleep(2);
  }
}

const eventText = (event: unknown) => {
  const { type } = event as { type?: string };
  return `${type ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
};

/** Sends chunks that split events and characters, as networks do. */
async function sendEvents(response: ServerResponse, events: unknown[], hasStopEvent = false): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const bytes = Buffer.from(events.map(eventText).join("") + (hasStopEvent ? "" : "data: [DONE]\n\n"));
  for (let at = 0; at < bytes.length; at += 37) {
    response.write(bytes.subarray(at, at + 37));
    if (at % 370 === 0) await sleep(1);
  }
  response.end();
}

const TEXT = "Grüße aus 東京 👋";
const WHY = "The weather changes, so I look it up.";

const chat = (isTool: boolean) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "gpt-test-2026",
  choices: [
    {
      index: 0,
      finish_reason: isTool ? "tool_calls" : "stop",
      message: {
        role: "assistant",
        content: isTool ? WHY : TEXT,
        refusal: null,
        ...(isTool && {
          tool_calls: [
            { id: "t1", type: "function", function: { name: "get_weather", arguments: '{"city":"Tōkyō"}' } },
          ],
        }),
      },
    },
  ],
  usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
});

function chatChunks(isTool: boolean): unknown[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-test-2026",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] });
  const words = (isTool ? WHY : TEXT)
    .split(" ")
    .map((word, index) => chunk({ content: index ? ` ${word}` : word }));
  return [
    chunk({ role: "assistant", content: "" }),
    ...words,
    ...(isTool
      ? [
          call({ id: "t1", type: "function", function: { name: "get_weather", arguments: "" } }),
          call({ function: { arguments: '{"city":' } }),
          call({ function: { arguments: '"Tōkyō"}' } }),
        ]
      : []),
    chunk({}, isTool ? "tool_calls" : "stop"),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
    },
  ];
}

const responseOf = (isTool: boolean, status = "completed") => ({
  id: "r",
  object: "response",
  created_at: 1,
  status,
  model: "gpt-test-2026",
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  output:
    status !== "completed"
      ? []
      : isTool
        ? [
            { id: "rs", type: "reasoning", summary: [{ type: "summary_text", text: WHY }] },
            {
              id: "f",
              type: "function_call",
              status: "completed",
              call_id: "t1",
              name: "get_weather",
              arguments: '{"city":"Tōkyō"}',
            },
          ]
        : [
            {
              id: "m",
              type: "message",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: TEXT, annotations: [] }],
            },
          ],
  usage: {
    input_tokens: 1_000,
    output_tokens: 200,
    total_tokens: 1_200,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});

function responseEvents(isTool: boolean): unknown[] {
  const whole = responseOf(isTool);
  const items = whole.output.flatMap((item, output_index) => [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...("content" in item && { content: [] }) },
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
          ...TEXT.split(/(?= )/).map((delta) => ({
            type: "response.output_text.delta",
            item_id: "m",
            output_index,
            content_index: 0,
            delta,
            logprobs: [],
          })),
        ]
      : []),
    { type: "response.output_item.done", output_index, item },
  ]);
  return [
    { type: "response.created", response: responseOf(isTool, "in_progress") },
    ...items,
    { type: "response.completed", response: whole },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

const blocks = (isTool: boolean) =>
  isTool
    ? [
        { type: "thinking", thinking: WHY, signature: "sig" },
        { type: "tool_use", id: "t1", name: "get_weather", input: { city: "Tōkyō" } },
      ]
    : [{ type: "text", text: TEXT }];

const message = (isTool: boolean) => ({
  id: "msg",
  type: "message",
  role: "assistant",
  model: "claude-test-2026",
  content: blocks(isTool),
  stop_reason: isTool ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 200 },
});

function messageEvents(isTool: boolean): unknown[] {
  const pieces = blocks(isTool).flatMap((block, index) => {
    const start = (content_block: unknown) => ({ type: "content_block_start", index, content_block });
    const delta = (fields: unknown) => ({ type: "content_block_delta", index, delta: fields });
    const stop = { type: "content_block_stop", index };
    if (block.type === "text")
      return [
        start({ type: "text", text: "" }),
        ...TEXT.split(/(?= )/).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    if (block.type === "thinking")
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: WHY }),
        delta({ type: "signature_delta", signature: "sig" }),
        stop,
      ];
    return [
      start({ ...block, input: {} }),
      delta({ type: "input_json_delta", partial_json: '{"city":' }),
      delta({ type: "input_json_delta", partial_json: '"Tōkyō"}' }),
      stop,
    ];
  });
  const started = {
    ...message(isTool),
    content: [],
    stop_reason: null,
    usage: { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 1 },
  };
  return [
    { type: "message_start", message: started },
    ...pieces,
    {
      type: "message_delta",
      delta: { stop_reason: isTool ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 200 },
    },
    { type: "message_stop" },
  ];
}

export { TEXT, WHY };
