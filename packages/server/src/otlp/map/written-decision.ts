import { DECISION_POINT_TYPES } from "@whytrace/contract";
import { asNumber, asProbability, asText, parsed } from "../decode/attribute-value.ts";
import type { OtlpEvent, OtlpValue } from "../decode/otlp-span.ts";
import type { WrittenDecision } from "./span-facts.ts";

/** The name of a span event that is a decision point. */
export const WRITTEN_DECISION = "whytrace.decision";

/** Reads an event that is a decision point. A text that holds a JSON object or array is read as that JSON. */
export function readDecision({ attributes, timeMs }: OtlpEvent): WrittenDecision {
  const get = (name: string) => attributes.get(`${WRITTEN_DECISION}.${name}`);
  const type = get("type");
  const alternatives = readAlternatives(get("alternatives"));
  const reasoning = get("reasoning");
  const context = get("context");
  const costUsd = asNumber(get("cost_usd"));
  const durationMs = asNumber(get("duration_ms"));
  const probability = asProbability(get("probability"));
  return {
    type: DECISION_POINT_TYPES.find((known) => known === type) ?? "CUSTOM",
    chosen: parsed(get("chosen") ?? null),
    ...(alternatives.length > 0 && { alternatives }),
    ...(reasoning !== undefined &&
      reasoning !== null && { reasoning: asText(reasoning) ?? JSON.stringify(reasoning) }),
    ...(context !== undefined && context !== null && { context: parsed(context) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(durationMs !== undefined && { durationMs }),
    ...(probability !== undefined && { probability }),
    timeMs,
  };
}

function readAlternatives(value: OtlpValue | undefined): unknown[] {
  if (value === undefined || value === null || value === "") return [];
  const list = parsed(value);
  return Array.isArray(list) ? list.map(parsed) : [list];
}
