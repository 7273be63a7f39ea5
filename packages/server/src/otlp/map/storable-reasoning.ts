import { storableText } from "../../trace-store/rows/storable-text.ts";

/** Longer texts are not shown as reasoning. */
export const MAX_REASONING_BYTES = 1_048_576;

export const storableReasoning = (text: string): string => storableText(text, MAX_REASONING_BYTES);
