import type { Agent } from "./agent.ts";
import { aiSdk6, aiSdk7 } from "./ai-sdk-agents.ts";
import { anthropic } from "./anthropic-agent.ts";
import { langchain } from "./langchain-agent.ts";
import { openaiChat, openaiResponses } from "./openai-agents.ts";

/** Creates an agent for each library that the SDK supports. `url` is the address of the fake providers. */
export const createAgents = (url: string): Agent[] =>
  [openaiChat, openaiResponses, anthropic, aiSdk6, aiSdk7, langchain].map((create) => create(url));
