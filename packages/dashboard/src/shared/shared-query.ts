import { queryOptions } from "@tanstack/react-query";
import type { SharedLink } from "@whytrace/contract";
import { api } from "../client/api.ts";
import type { Outline } from "../trace/model/outline.ts";

/** A link and its trace. The request for the link counts as an opening, so the result is fetched once. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: async ({ signal }) => {
      const base = `/api/shared/${encodeURIComponent(token)}`;
      const link = await api<SharedLink>(`${base}/link`, { signal });
      const outline = await api<Outline>(`${base}/outline`, { signal, hasPayload: true });
      return { link, outline };
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
