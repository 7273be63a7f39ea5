import { message, messageEvents } from "../../../../packages/sdk/test/anthropic-bodies.ts";
import { type FakeServer, respondJson, startFakeServer } from "../../../../packages/sdk/test/fake-server.ts";
import { chat, chatChunks, responseEvents, responseOf } from "../../../../packages/sdk/test/openai-bodies.ts";
import { type Turn, turnOf } from "../../../../packages/sdk/test/turn.ts";

/* A fake of the APIs of OpenAI, Anthropic and Gemini whose model hands over if it can, looks the order up, and then answers. */

const ANSWER = turnOf("hello");

interface Call {
  name: string;
  input: unknown;
}

/** The turns of a run differ by what the request has: the name of a tool is there once it was called. */
function turnFor(body: { tools?: unknown }): Turn {
  const { tools, ...asked } = body;
  const names = [...JSON.stringify(tools ?? []).matchAll(/"name":"([^"]+)"/g)].map(([, name = ""]) => name);
  const called = (pattern: RegExp): Call | undefined => {
    const name = names.find((one) => pattern.test(one));
    const conversation = JSON.stringify(asked);
    if (!name || conversation.includes(`"name":"${name}"`)) return undefined;
    return { name, input: name.startsWith("transfer") ? {} : { order: "A-1001" } };
  };
  const call = called(/^transfer_to/) ?? called(/lookup_order$/);
  return call ? { ...ANSWER, text: "I look it up.", reasoning: "I look it up.", calls: [call] } : ANSWER;
}

const gemini = ({ text, calls }: Turn) => ({
  candidates: [
    {
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts:
          calls.length > 0
            ? calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
            : [{ text }],
      },
    },
  ],
  usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 200, totalTokenCount: 1_200 },
  modelVersion: "gemini-2.5-flash",
});

const eventsText = (events: unknown[]) =>
  events
    .map((event) => {
      const type =
        typeof event === "object" && event !== null && "type" in event ? `event: ${event.type}\n` : "";
      return `${type}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");

export const startOrderProvider = (): Promise<FakeServer> =>
  startFakeServer((request, response, text) => {
    const body = JSON.parse(text || "{}");
    const path = request.url ?? "";
    const turn = turnFor(body);
    const stream = (events: unknown[], end = "") =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(eventsText(events) + end);
    if (path.includes(":streamGenerateContent")) return void stream([gemini(turn)]);
    if (path.includes(":generateContent")) return respondJson(response, 200, gemini(turn));
    if (path.includes("/chat/completions"))
      return body.stream
        ? void stream(chatChunks(turn), "data: [DONE]\n\n")
        : respondJson(response, 200, chat(turn));
    if (path.includes("/responses"))
      return body.stream ? void stream(responseEvents(turn)) : respondJson(response, 200, responseOf(turn));
    if (path.includes("/messages"))
      return body.stream ? void stream(messageEvents(turn)) : respondJson(response, 200, message(turn));
    respondJson(response, 404, { error: { message: "no such path" } });
  });
