import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { MaskedFields } from "../../masking/masked-fields.ts";
import { Masker } from "../../masking/masker.ts";
import { markOfJson, maskComment } from "../../masking/structure-only.ts";
import type { ParsedScore } from "./parsed-score.ts";

/** Masks what a score says, and which judgement it is. */
export function maskScore(score: ParsedScore, masking: CompiledMasking): ParsedScore {
  if (masking.isOff) return score;
  const masker = new Masker(masking, { traceId: score.traceId });
  const isStructureOnly = masking.level === "structure";
  const { value } = score;
  return {
    ...score,
    ...maskTitle(score, masker),
    value: typeof value === "string" ? masker.text(value, "names") : value,
    ...maskWords(score, masker, isStructureOnly),
  };
}

interface Title<Author> extends Pick<ParsedScore, "source" | "name" | "label"> {
  author: Author;
}

/** Name, label and author of a score that was sent as one. Judges stay distinct, and members are known by their ids. */
export const maskTitle = <Author extends string | null>(
  { source, name, label, author }: Title<Author>,
  masker: Masker,
): Omit<Title<Author | string>, "source"> => ({
  name: new MaskedFields(masker, false).name(name),
  label: label && masker.text(label, "names"),
  author:
    !author || (source === "person" && IS_MEMBER.test(author)) ? author : masker.identifier(author, "names"),
});

const IS_MEMBER = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

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
