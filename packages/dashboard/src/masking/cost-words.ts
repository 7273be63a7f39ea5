import type { PatternCost } from "@whytrace/contract/schemas/masking/settings";

/** What own patterns cost; empty without patterns. */
export function costWords({ costMsPerMiB, warning }: PatternCost): string {
  if (warning !== undefined) return warning;
  return costMsPerMiB > 0 ? `Your patterns take ${costMsPerMiB.toLocaleString("en")} ms per MiB.` : "";
}
