import type { LogFacts, SpanFacts } from "../map/span-facts.ts";

/** What a request adds to the facts of a trace. */
export interface FactsPart {
  spans?: SpanFacts[];
  logs?: LogFacts[];
  /** Facts of spans that came by POST /api/traces. They stay, whatever else has their ids. */
  posted?: SpanFacts[];
  /** The version of the rules by which log records that wait for their trace were masked. */
  maskingVersion?: number;
}
