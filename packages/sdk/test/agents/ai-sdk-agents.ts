import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAI6 } from "@ai-sdk/openai3";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import {
  generateText as generateText6,
  jsonSchema as jsonSchema6,
  stepCountIs,
  streamText as streamText6,
  tool as tool6,
} from "ai6";
import { wrapModel, wrapTools } from "../../src/ai.ts";
import { type Agent, QUESTION, RESULT, SCHEMA, TOOLS } from "./agent.ts";

export function aiSdk6(url: string): Agent {
  const provider = createOpenAI6({ apiKey: "sk-test", baseURL: `${url}/v1` });
  const inputSchema = jsonSchema6(SCHEMA);
  const settings = {
    model: wrapModel(provider.chat("gpt-test")),
    tools: wrapTools(
      Object.fromEntries(TOOLS.map((name) => [name, tool6({ inputSchema, execute: async () => RESULT })])),
    ),
    prompt: QUESTION,
    stopWhen: stepCountIs(3),
  };
  return {
    name: "AI SDK 6",
    reply: async () => (await generateText6(settings)).text,
    stream: async () => streamText6(settings).textStream,
    toResponse: () => streamText6(settings).toUIMessageStreamResponse(),
    pipeToResponse: (response) => streamText6(settings).pipeUIMessageStreamToResponse(response),
  };
}

export function aiSdk7(url: string): Agent {
  const provider = createOpenAI({ apiKey: "sk-test", baseURL: `${url}/v1` });
  const inputSchema = jsonSchema(SCHEMA);
  const settings = {
    model: wrapModel(provider.chat("gpt-test")),
    tools: wrapTools(
      Object.fromEntries(TOOLS.map((name) => [name, tool({ inputSchema, execute: async () => RESULT })])),
    ),
    prompt: QUESTION,
    stopWhen: isStepCount(3),
  };
  return {
    name: "AI SDK 7",
    reply: async () => (await generateText(settings)).text,
    stream: async () => streamText(settings).textStream,
    toResponse: () => streamText(settings).toUIMessageStreamResponse(),
    pipeToResponse: (response) => streamText(settings).pipeUIMessageStreamToResponse(response),
  };
}
