import { optionName as fullOptionName } from "@whytrace/contract";
import { printable } from "./output.ts";

const MAX_LENGTH = 60;

/** A short label for an option of a decision. */
export function optionName(option: unknown): string {
  const shown = printable(fullOptionName(option));
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown;
}
