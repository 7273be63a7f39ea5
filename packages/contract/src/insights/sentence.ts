/** A part of a sentence. The name of an option is text of a trace: pages mark it, terminals and models need it escaped. */
interface SentencePart {
  text: string;
  isOption: boolean;
}

export interface Sentence {
  /** With names of options in backticks. */
  text: string;
  parts: readonly SentencePart[];
}

/** A sentence of texts, and of options as `{ option }`. */
export function sentenceOf(pieces: readonly (string | { option: string })[]): Sentence {
  const parts = pieces
    .filter((piece) => piece !== "")
    .map((piece): SentencePart => {
      if (typeof piece === "string") return { text: piece, isOption: false };
      // Its last trace may have been deleted.
      if (piece.option === "") return { text: "(an option without a name)", isOption: false };
      return { text: piece.option, isOption: true };
    });
  return { text: parts.map(({ text, isOption }) => (isOption ? `\`${text}\`` : text)).join(""), parts };
}
