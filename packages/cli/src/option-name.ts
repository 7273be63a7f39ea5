import { optionName as fullOptionName } from "@whytrace/contract";
import { printable } from "./print/output.ts";

const MAX_LENGTH = 60;

/** A short label for an option of a decision. */
export const optionName = (option: unknown) => printable(fullOptionName(option), MAX_LENGTH);
