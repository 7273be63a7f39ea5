import { absentFields, DECISION_POINT, type ParsedDecisionPoint } from "@whytrace/contract";
import type { Random } from "@whytrace/demo";
import { prose, searchable } from "./prose.ts";
import type { SizeOptions } from "./sizes.ts";
import { SEARCH_WORDS } from "./vocabulary.ts";

const TYPES = [
  "TOOL_SELECTION",
  "TOOL_SELECTION",
  "TOOL_SELECTION",
  "TOOL_SELECTION",
  "ROUTING",
  "ROUTING",
  "PLANNING",
  "PLANNING",
  "MEMORY_RETRIEVAL",
  "RETRY",
  "ESCALATION",
  "CUSTOM",
] as const;
const CHOICES = ["search", "answer", "read_file", "run_tests", "ask_person", "browse", "summarise"] as const;

interface DecisionContext {
  parentSpanId: string | null;
  timestamp: number;
}

export function generateDecision(
  random: Random,
  size: SizeOptions,
  context: DecisionContext,
): ParsedDecisionPoint {
  return {
    ...absentFields(DECISION_POINT),
    id: `dp_${random.hex(12)}`,
    type: random.pick(TYPES),
    reasoning: random.chance(0.03)
      ? null
      : searchable(random, random.between(18, 45), SEARCH_WORDS.reasoning),
    chosen: { name: random.pick(CHOICES), score: random.between(50, 99) / 100 },
    alternatives: Array.from({ length: random.between(1, 3) }, () => ({
      name: random.pick(CHOICES),
      score: random.between(1, 49) / 100,
      reason: prose(random, 60),
    })),
    contextSnapshot: { step: random.between(1, 12), summary: prose(random, size.snapshotCharacters) },
    durationMs: random.chance(0.1) ? null : random.between(1, 2_000),
    costUsd: random.chance(0.3) ? null : random.logNormal(0.002, 1),
    ...context,
  };
}
