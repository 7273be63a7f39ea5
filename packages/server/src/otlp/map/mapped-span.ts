import type { ModelUsage, ParsedEvent, ParsedSpan } from "@whytrace/contract";
import type { SpanFacts } from "./span-facts.ts";

/** What is stored of a span that came by OTLP. */
export interface MappedSpan {
  span: ParsedSpan & { usage: ModelUsage | null };
  events: ParsedEvent[];
  /** What the trace and its decisions are derived from, now and when more spans come. */
  facts: SpanFacts;
}
