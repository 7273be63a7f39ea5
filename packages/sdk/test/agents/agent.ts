import type { streamText } from "ai";
import { span } from "../../src/index.ts";

/**
 * An agent that uses one of the supported libraries, with its real package. It asks the model, which calls the tool
 * get_weather, runs the tool, and asks the model again for the answer.
 */
export interface Agent {
  name: string;
  reply(): Promise<string>;
  /** Returns before the answer is complete. */
  stream(): Promise<ReadableStream<string>>;
  /** Helpers of the AI SDK that respond with a stream. */
  toResponse?(): Response;
  pipeToResponse?(response: NodeResponse): void;
}

type NodeResponse = Parameters<ReturnType<typeof streamText>["pipeUIMessageStreamToResponse"]>[0];

export const QUESTION = "weather";
export const RESULT = "Tōkyō: 22 degrees";
export const SCHEMA = { type: "object" as const, properties: { city: { type: "string" as const } } };
export const TOOLS = ["get_weather", "ask_human"];
export const runTool = () => span("get_weather", { type: "TOOL_CALL" }, () => RESULT);

/** Reads an async iterable in the context in which it was created: a generator runs in the context of its reader. */
export const readNow = (items: AsyncIterable<string>): ReadableStream<string> =>
  new ReadableStream({
    async start(controller) {
      for await (const item of items) controller.enqueue(item);
      controller.close();
    },
  });

export async function* mapText<Chunk>(
  chunks: AsyncIterable<Chunk>,
  text: (chunk: Chunk) => string | null | undefined,
) {
  for await (const chunk of chunks) yield text(chunk) ?? "";
}
