import type { ParsedTrace } from "@whytrace/contract";
import { readModelUsage } from "./read-model-usage.ts";

const SPANS_PER_STEP = 64;

/** Sets the usage of model calls from their metadata. Yields where the caller may pause. */
export function* addModelUsage(batch: ParsedTrace[]): Generator<undefined, void> {
  for (const { spans } of batch)
    for (const [index, span] of spans.entries()) {
      if (span.type === "LLM_CALL" && span.metadata !== null) span.usage = readModelUsage(span.metadata);
      if (index % SPANS_PER_STEP === SPANS_PER_STEP - 1) yield;
    }
}
