import { toJson } from "./send/to-json.ts";
import type { Choice, DecisionDetails, OpenDecision } from "./types.ts";

export interface ResolvedChoice<Option> extends DecisionDetails {
  chosen: Option;
  durationMs?: number;
  probability?: number | undefined;
}

/** Calls the user's `choose` and measures how long it takes. An error it throws is passed on. */
export async function choose<Option>(decision: OpenDecision<Option>): Promise<ResolvedChoice<Option>> {
  const { reasoning, contextSnapshot, costUsd } = decision;
  const startedMs = performance.now();
  const choice = await decision.choose([...decision.options]);
  const durationMs = performance.now() - startedMs;
  // An option may itself have a field named `chosen`.
  const isOption = decision.options.some((option) => option === choice);
  const detailed: ResolvedChoice<Option> =
    !isOption && hasChosen<Option>(choice) ? choice : { chosen: choice as Option };
  return {
    chosen: detailed.chosen,
    reasoning: detailed.reasoning ?? reasoning,
    contextSnapshot: detailed.contextSnapshot ?? contextSnapshot,
    costUsd: detailed.costUsd ?? costUsd,
    durationMs,
  };
}

const hasChosen = <Option>(choice: Choice<Option>): choice is { chosen: Option } & DecisionDetails =>
  typeof choice === "object" && choice !== null && "chosen" in choice;

/** Removes the chosen option once: the identical value, or else the first object with the same JSON. */
export function alternativesTo(options: readonly unknown[], chosen: unknown): unknown[] {
  let index = options.indexOf(chosen);
  if (index < 0 && typeof chosen === "object" && chosen !== null) {
    const text = serialize(chosen);
    index = options.findIndex((option) => serialize(option) === text);
  }
  return options.filter((_, at) => at !== index);
}

const serialize = (value: unknown) => JSON.stringify(toJson(value, "").value);
