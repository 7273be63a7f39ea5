import { Random } from "@whytrace/demo";
import { generateProse } from "./generate-prose.ts";
import { zipfWord } from "./lexicon.ts";
import { atLeastOne, generateIdentifier, generateTopic, type Topic } from "./topic.ts";

export type AgentKind = "support" | "coding" | "research";
type TextKind = "prose" | "code" | "json";

/** What an agent sends with every model call, and what its tools answer. */
export interface Agent {
  model: string;
  systemPrompt: string;
  tools: readonly [Tool, ...Tool[]];
  results: readonly (readonly [TextKind, number])[];
}

interface Tool {
  type: "function";
  function: { name: string; description: string; parameters: unknown };
}

const TOOLS = 8;
const PROMPT_CHARACTERS = 1_200;

export const AGENTS: Readonly<Record<AgentKind, Agent>> = {
  support: defineAgent(21, [
    ["json", 0.6],
    ["prose", 0.4],
  ]),
  coding: defineAgent(22, [
    ["code", 0.55],
    ["prose", 0.25],
    ["json", 0.2],
  ]),
  research: defineAgent(23, [
    ["prose", 0.7],
    ["json", 0.3],
  ]),
};

function defineAgent(seed: number, results: Agent["results"]): Agent {
  const random = new Random(seed);
  const topic = generateTopic(random);
  return {
    model: "large-2026-06",
    systemPrompt: generateProse(random, topic, PROMPT_CHARACTERS),
    tools: atLeastOne(TOOLS, () => defineTool(random, topic)),
    results,
  };
}

function defineTool(random: Random, topic: Topic): Tool {
  const names = Array.from({ length: random.between(1, 3) }, () => zipfWord(random));
  const properties = Object.fromEntries(names.map((name) => [name, defineProperty(random, topic)]));
  return {
    type: "function",
    function: {
      name: generateIdentifier(random),
      description: generateProse(random, topic, random.between(60, 160)),
      parameters: { type: "object", properties, required: names.slice(0, 2), additionalProperties: false },
    },
  };
}

function defineProperty(random: Random, topic: Topic) {
  const description = generateProse(random, topic, random.between(20, 70));
  return random.pick([
    { type: "string", description },
    { type: "integer", description, minimum: 0, maximum: random.between(10, 5_000) },
    { type: "boolean", description, default: false },
    { type: "string", description, enum: Array.from({ length: 3 }, () => zipfWord(random)) },
    { type: "array", items: { type: "string" }, description },
  ]);
}
