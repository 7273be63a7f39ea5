import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

/** A link and its trace. The request for the link counts as an opening, so the result is fetched once. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: async ({ signal }) => {
      const request = { params: { token }, signal };
      const link = await api("GET /api/shared/:token/link", request);
      const outline = await api("GET /api/shared/:token/outline", { ...request, hasPayload: true });
      return { link, outline };
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
