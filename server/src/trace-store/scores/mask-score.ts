import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { Masker } from "../../masking/masker.ts";
import type { ParsedScore } from "./parsed-score.ts";

/** Masks what a score says in words. Its name, label and author say which judgement it is. */
export function maskScore(score: ParsedScore, masking: CompiledMasking): ParsedScore {
  if (masking.isOff || (score.comment === null && score.metadata === null)) return score;
  const masker = new Masker(masking, { traceId: score.traceId });
  return {
    ...score,
    comment: score.comment === null ? null : masker.text(score.comment, "comments"),
    metadata:
      score.metadata === null
        ? null
        : Buffer.from(masker.json(Buffer.from(score.metadata), "comments")).toString(),
  };
}
