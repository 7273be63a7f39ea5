import { findOptionName } from "./find-option-name.ts";

/** Returns the display name of a decision's option: the name that it says, or its JSON. */
export function optionName(option: unknown): string {
  return findOptionName(option) ?? JSON.stringify(option) ?? "";
}
