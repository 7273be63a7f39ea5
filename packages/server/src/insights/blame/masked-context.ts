import type { MaskedContext } from "@whytrace/contract";
import type { MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { fixedToken } from "../../masking/compile-rules.ts";
import { contextValues } from "./context-values.ts";

const MAX_SHOWN = 3;
const PAYLOAD_MARK = "masked.bytes";
/** What stands for a value whatever the value was. A hash is the same for equal values, so it may be a clue. */
const FIXED = /^(?:\[(?:email|phone|card|iban|ip|secret|masked(?:: not checked)?)\]|\*{8})$/;

/**
 * The values of a context that were masked so that they are the same in all runs: none of them can be a clue. Rules are those in force, and
 * a text that was sent looking like a token is taken for one.
 */
export function maskedContext(context: unknown, rules: readonly MaskingRule[]): MaskedContext[] {
  const values = contextValues(context);
  if (values.size === 1 && values.has(PAYLOAD_MARK)) return [{ key: null, rule: null }];
  const names = new Map(
    rules
      .filter(({ method, isEnabled = true }) => method === "replace" && isEnabled)
      .map((rule) => [fixedToken(rule), rule.name]),
  );
  return [...values]
    .flatMap(([key, json]) => {
      const value: unknown = JSON.parse(json);
      if (typeof value !== "string") return [];
      const rule = names.get(value) ?? null;
      return rule !== null || FIXED.test(value) ? [{ key, rule }] : [];
    })
    .slice(0, MAX_SHOWN);
}
