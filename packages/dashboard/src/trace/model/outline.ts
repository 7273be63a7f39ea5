import { queryOptions } from "@tanstack/react-query";
import type { Outline } from "@whytrace/contract";
import { api } from "../../client/api.ts";

export type { Outline, OutlineDecision, OutlineEvent, OutlineSpan } from "@whytrace/contract";

/** All that the page of a trace needs at first. Payloads are fetched when they are shown. */
export const outlineQuery = (id: string) =>
  queryOptions({
    queryKey: ["trace", id, "outline"],
    queryFn: ({ signal }) =>
      api<Outline>(`/api/traces/${encodeURIComponent(id)}/outline`, { signal, hasPayload: true }),
    // Comparing 50,000 spans costs more than rendering the forty visible rows again.
    structuralSharing: false,
  });
