import type { DecisionRule } from "@whytrace/contract";
import { formatPercent } from "../../ui/format/format-percent.ts";

/** `Never refund_api`, `ask_human between 10 % and 30 %`. */
export function describeRule({ kind, option, minShare, maxShare }: DecisionRule): string {
  if (kind === "never") return `Never ${option}`;
  return `${option} between ${formatPercent(minShare ?? 0)} and ${formatPercent(maxShare ?? 1)}`;
}
