import type { ParsedDecisionPoint, ParsedEvent, ParsedTrace } from "@whytrace/contract";
import type { DecidedSpan, DecidedTrace } from "../../decision-facts/decided-trace.ts";
import type { UnpricedSpan } from "../../prices/price-trace.ts";
import type { CarriedScore } from "../scores/carried-score.ts";

/** What follows from all spans and log records of a trace together. It does not depend on the order in which they came. */
export interface DerivedTrace
  extends Pick<
    ParsedTrace,
    | "name"
    | "status"
    | "sessionId"
    | "tags"
    | "totalCost"
    | "totalTokens"
    | "totalDuration"
    | "startedAt"
    | "endedAt"
    | "sampleProbability"
  > {
  /** The version of the service that made the trace. */
  serviceVersion: string | null;
  /** What the application says about the run; they are found like values of the metadata. */
  metadataPairs: string[] | null;
  /** In the order of their time. */
  decisionPoints: ParsedDecisionPoint[];
  /** Inputs and outputs that log records say and the spans themselves do not, by span id. */
  completions: ReadonlyMap<string, SpanCompletion>;
  /** The events that log records tell of spans that have come. */
  loggedEvents: ParsedEvent[];
  /** The judgements that spans and log records tell. */
  scores: CarriedScore[];
}

/** A span as far as costs and insights need it. */
export type DerivedSpan = UnpricedSpan & DecidedSpan;

/** A derived trace whose cost is not yet known. */
export interface UnpricedTrace extends DerivedTrace {
  /** All spans that have come, and their events of the type ERROR. */
  spans: DerivedSpan[];
  errorEvents: DecidedTrace["events"];
}

export interface SpanCompletion {
  input?: unknown;
  output?: unknown;
  /** The call of a tool or model that log records may name instead of the span. */
  callId?: string;
}
