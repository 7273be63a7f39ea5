import { agent365 } from "./agent365.ts";
import { aiSdk } from "./ai-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import type { Convention } from "./convention.ts";
import { genAi } from "./gen-ai.ts";
import { general } from "./general.ts";
import { genkit } from "./genkit.ts";
import { googleAdk } from "./google-adk.ts";
import { langfuse } from "./langfuse.ts";
import { langSmith } from "./langsmith.ts";
import { mastra } from "./mastra.ts";
import { openInference } from "./openinference.ts";
import { pydanticAi } from "./pydantic-ai.ts";
import type { Slot } from "./slots.ts";
import { strands } from "./strands.ts";
import { traceloop } from "./traceloop.ts";
import { voltAgent } from "./voltagent.ts";
import { whytrace } from "./whytrace.ts";

/** All conventions. Where attributes of several fill the same slot, the earlier convention wins. */
const CONVENTIONS: readonly Convention[] = [
  whytrace,
  openInference,
  genAi,
  langfuse,
  langSmith,
  traceloop,
  aiSdk,
  genkit,
  mastra,
  googleAdk,
  strands,
  pydanticAi,
  voltAgent,
  claudeCode,
  agent365,
  general,
];

/** The slot that an attribute fills. Of several attributes for one slot, the one with the lowest rank wins. */
interface AttributeRule {
  slot: Slot;
  rank: number;
}

const withRank = ([key, slot]: [string, Slot], rank: number): [string, AttributeRule] => [
  key,
  { slot, rank },
];

export const ATTRIBUTE_RULES: ReadonlyMap<string, AttributeRule> = new Map(
  CONVENTIONS.flatMap(({ attributes }) => Object.entries(attributes)).map(withRank),
);

/** The lists that are flattened into attributes, by their prefix. */
export const FLATTENED_LISTS = CONVENTIONS.flatMap(({ flattened = {} }) =>
  Object.entries(flattened).map(([name, slot]) => ({ name, prefix: `${name}.`, slot })),
);
export type FlattenedList = (typeof FLATTENED_LISTS)[number];
