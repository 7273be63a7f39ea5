import type { JudgedScore } from "../../outcomes/judged-run.ts";
import type { ParsedScore } from "./parsed-score.ts";
import { kindOf, labelOf } from "./score-rows.ts";

/** A score that is not stored yet, as it decides about its run. */
export const toJudgedScore = (score: ParsedScore): JudgedScore => ({
  id: score.id,
  spanId: score.spanId,
  decisionId: score.decisionId,
  name: score.name,
  source: score.source,
  author: score.author ?? "",
  kind: kindOf(score.value),
  number: typeof score.value === "string" ? null : Number(score.value),
  label: labelOf(score),
  timestamp: new Date(score.timestamp ?? 0).toISOString(),
});
