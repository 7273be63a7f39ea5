import type { Sentence } from "@whytrace/contract";
import type { ReactNode } from "react";

interface SentenceTextProps {
  sentence: Sentence;
  /** Renders the first option that the sentence names, for example as a link. */
  renderOption?: (name: string) => ReactNode;
}

const NO_BREAK_SPACE = "\u00a0";

/** A sentence, in which names of options stand out. */
export function SentenceText({ sentence: { parts }, renderOption }: SentenceTextProps) {
  const first = parts.findIndex(({ isOption }) => isOption);
  return parts.map(({ text, isOption }, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a sentence have no other identity
    if (index === first && renderOption) return <span key={index}>{renderOption(text)}</span>;
    return isOption ? (
      <b key={index} className="font-semibold">
        {text}
      </b>
    ) : (
      <span key={index}>{text.replaceAll(" %", `${NO_BREAK_SPACE}%`)}</span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: parts of a sentence have no other identity
  });
}
