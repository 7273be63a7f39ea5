import { queryOptions } from "@tanstack/react-query";
import type { DecisionPoint, Span, TraceEvent, WholeTrace } from "@whytrace/contract";
import { api } from "../../client/api.ts";

/** A trace without its payloads: what the page draws first. Payloads are read one by one, when they are looked at. */
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
    queryFn: ({ signal }) => api<Outline>(`/api/traces/${encodeURIComponent(id)}/outline`, { signal }),
    // Comparing 50,000 spans one by one costs more than drawing the forty in sight.
    structuralSharing: false,
  });
