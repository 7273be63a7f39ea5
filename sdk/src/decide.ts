import { toJson } from "./to-json.ts";
import type { Choice, DecisionDetails, OpenDecision } from "./types.ts";

export interface Chosen<Option> extends DecisionDetails {
  chosen: Option;
  durationMs?: number;
}

/** Lets the caller's function choose. What it throws is the caller's. */
export async function choose<Option>(decision: OpenDecision<Option>): Promise<Chosen<Option>> {
  const { reasoning, contextSnapshot, costUsd } = decision;
  const given = { reasoning, contextSnapshot, costUsd };
  const startedMs = performance.now();
  const choice = await decision.choose([...decision.options]);
  const durationMs = performance.now() - startedMs;
  const isReasoned = !decision.options.some((option) => option === choice) && hasChosen<Option>(choice);
  if (!isReasoned) return { ...given, chosen: choice as Option, durationMs };
  return {
    chosen: choice.chosen,
    reasoning: choice.reasoning ?? reasoning,
    contextSnapshot: choice.contextSnapshot ?? contextSnapshot,
    costUsd: choice.costUsd ?? costUsd,
    durationMs,
  };
}

const hasChosen = <Option>(choice: Choice<Option>): choice is { chosen: Option } & DecisionDetails =>
  typeof choice === "object" && choice !== null && "chosen" in choice;

/** The options less the chosen one, once: the very one, or else one that reads the same. */
export function alternativesTo(options: readonly unknown[], chosen: unknown): unknown[] {
  let index = options.indexOf(chosen);
  if (index < 0 && typeof chosen === "object" && chosen !== null) {
    const text = textOf(chosen);
    index = options.findIndex((option) => textOf(option) === text);
  }
  return options.filter((_, at) => at !== index);
}

const textOf = (value: unknown) => JSON.stringify(toJson(value, "").value);
