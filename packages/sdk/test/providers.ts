import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { message, messageEvents } from "./anthropic-bodies.ts";
import { type FakeServer, respondJson, startFakeServer } from "./fake-server.ts";
import { chat, chatChunks, responseEvents, responseOf } from "./openai-bodies.ts";
import { turnOf } from "./turn.ts";

/*
 * A fake of the OpenAI and Anthropic APIs on loopback. The prompt selects the response: "fail" is an error, "flaky"
 * fails once, "endless" streams until the client disconnects, "broken" fails after its status 200, and `turnOf` lists
 * those that call tools or use the prompt cache. Any other prompt returns text.
 */

interface Providers extends FakeServer {
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
    const turn = turnOf(asked);
    if (asked.includes("endless"))
      return sendEndlessStream(response, request, () => providers.cancelledStreams.push(asked));
    const path = request.url?.split("?")[0] ?? "";
    if (path.endsWith("/chat/completions"))
      return stream ? sendEvents(response, chatChunks(turn)) : respondJson(response, 200, chat(turn));
    if (path.endsWith("/responses"))
      return stream
        ? sendEvents(response, responseEvents(turn))
        : respondJson(response, 200, responseOf(turn));
    if (path.endsWith("/embeddings"))
      return respondJson(response, 200, {
        object: "list",
        model: "text-embedding-test",
        data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      });
    if (path.endsWith("/messages"))
      return stream
        ? sendEvents(response, messageEvents(turn), true)
        : respondJson(response, 200, message(turn));
    respondJson(response, 404, { error: { message: "no such path" } });
  });
  return Object.assign(providers, fakeServer);
}

const STARTED = messageEvents(turnOf("hello"));

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
  if (isAnthropic) response.write(eventText(STARTED[0]) + eventText(STARTED[1]));
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
