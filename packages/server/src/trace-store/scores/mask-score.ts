import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { Masker } from "../../masking/masker.ts";
import { markOfJson, maskComment } from "../../masking/structure-only.ts";
import type { ParsedScore } from "./parsed-score.ts";

/** Masks what a score says in words. Its name, label and author say which judgement it is. */
export function maskScore(score: ParsedScore, masking: CompiledMasking): ParsedScore {
  if (masking.isOff || (score.comment === null && score.metadata === null)) return score;
  const masker = new Masker(masking, { traceId: score.traceId });
  return { ...score, ...maskWords(score, masker, masking.level === "structure") };
}

type Words = Pick<ParsedScore, "source" | "comment" | "metadata">;

/** The comment and the metadata of a score, masked. */
export function maskWords(
  { source, comment, metadata }: Words,
  masker: Masker,
  isStructureOnly: boolean,
): Omit<Words, "source"> {
  if (isStructureOnly)
    return {
      comment: maskComment(comment, source, masker),
      metadata: metadata === null ? null : markOfJson(metadata),
    };
  return {
    comment: comment === null ? null : masker.text(comment, "comments"),
    metadata:
      metadata === null ? null : Buffer.from(masker.json(Buffer.from(metadata), "comments")).toString(),
  };
}
