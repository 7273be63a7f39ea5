import { asText } from "../decode/attribute-value.ts";
import type { Attributes } from "../decode/otlp-span.ts";
import type { WrittenDecision } from "./span-facts.ts";

const ANSWERS = ["accept", "reject"];

/**
 * Whether a person, or a hook, let Claude Code run a tool; undefined for other spans. What the configuration allows is
 * decided before the run.
 */
export function permissionDecision(attributes: Attributes): WrittenDecision | undefined {
  const answer = asText(attributes.get("decision"));
  const source = asText(attributes.get("source"));
  if (attributes.get("span.type") !== "tool.blocked_on_user" || source === undefined || source === "config")
    return undefined;
  if (answer === undefined || !ANSWERS.includes(answer)) return undefined;
  return {
    type: "ESCALATION",
    chosen: answer,
    alternatives: ANSWERS.filter((other) => other !== answer),
    context: { source },
  };
}
