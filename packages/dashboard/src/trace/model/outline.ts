import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";

/** What those who open a link get, too. */
export type {
  OutlineDecision,
  OutlineEvent,
  OutlineSpan,
  SharedOutline as Outline,
} from "@whytrace/contract";

/** All that the page of a trace needs at first. Payloads are fetched when they are shown. */
export const outlineQuery = (id: string) =>
  queryOptions({
    queryKey: ["trace", id, "outline"],
    queryFn: ({ signal }) => api("GET /api/traces/:id/outline", { params: { id }, signal, hasPayload: true }),
    // Comparing 50,000 spans costs more than rendering the forty visible rows again.
    structuralSharing: false,
  });
