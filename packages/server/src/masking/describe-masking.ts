import { Counter } from "prom-client";
import type { Metrics } from "../http/metrics.ts";
import type { MaskingTally } from "./masking-tally.ts";

/** Metrics of what is masked before it is stored. */
export function describeMasking({ registry }: Metrics, tally: MaskingTally) {
  const registers = [registry];
  new Counter({
    name: "whytrace_masking_values_total",
    help: "Values that were masked before they were stored",
    labelNames: ["type", "method"] as const,
    registers,
    collect() {
      this.reset();
      for (const { type, method, count } of tally.values()) this.inc({ type, method }, count);
    },
  });
  new Counter({
    name: "whytrace_masking_failures_total",
    help: "Values that could not be checked and were replaced, and attempts to apply rules that cannot be applied",
    registers,
    collect() {
      this.reset();
      this.inc(tally.failures);
    },
  });
  new Counter({
    name: "whytrace_masking_seconds_total",
    help: "Time that masking took before values were stored",
    registers,
    collect() {
      this.reset();
      this.inc(tally.seconds);
    },
  });
}
