import { findOptionName } from "../traces/find-option-name.ts";
import { maskText } from "./mask-text.ts";
import { sortedJson } from "./sorted-json.ts";

/**
 * What an option is counted as: its name, or else its JSON with sorted keys, with masked ids and numbers. So "refund order
 * 4711" and "refund order 4712" are one option.
 */
export function optionKey(option: unknown): string {
  return maskText(findOptionName(option) ?? sortedJson(option));
}
