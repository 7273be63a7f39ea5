import { storableText } from "@whytrace/contract";

/** Longer texts are not shown as reasoning. */
const MAX_BYTES = 1_048_576;

export const storableReasoning = (text: string): string => storableText(text, MAX_BYTES);
