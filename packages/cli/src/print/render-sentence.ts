import type { Sentence } from "@whytrace/contract";
import { optionName } from "../option-name.ts";
import type { Output } from "./output.ts";

/** A sentence for a terminal: names of options are bold, or in backticks without colours. */
export const renderSentence = ({ parts }: Sentence, output: Output): string =>
  parts
    .map(({ text, isOption }) => (isOption ? output.paint("bold", `\`${optionName(text)}\``) : text))
    .join("");
