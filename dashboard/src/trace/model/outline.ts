import { queryOptions } from "@tanstack/react-query";
import type { DecisionPoint, Span, TraceEvent, WholeTrace } from "@whytrace/contract";
import { api } from "../../client/api.ts";

/** A trace without payloads, which is all that the page needs at first. Payloads are fetched when they are shown. */
export interface Outline extends Omit<WholeTrace, "metadata" | "spans" | "decisionPoints" | "events"> {
  spans: OutlineSpan[];
  decisionPoints: OutlineDecision[];
  events: OutlineEvent[];
}
export type OutlineSpan = Omit<Span, "input" | "output" | "metadata">;
export type OutlineDecision = Omit<DecisionPoint, "contextSnapshot">;
export type OutlineEvent = Omit<TraceEvent, "metadata">;

export const outlineQuery = (id: string) =>
  queryOptions({
    queryKey: ["trace", id, "outline"],
    queryFn: ({ signal }) =>
      api<Outline>(`/api/traces/${encodeURIComponent(id)}/outline`, { signal, hasPayload: true }),
    // Comparing 50,000 spans costs more than rendering the forty visible rows again.
    structuralSharing: false,
  });
