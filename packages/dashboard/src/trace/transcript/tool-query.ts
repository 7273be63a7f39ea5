import { queryOptions } from "@tanstack/react-query";
import { callPayloadWorker } from "../payload/payload-client.ts";

/** The arguments and the result of a tool, as they were at a time or later. */
export const toolQuery = (url: string, fetchedSinceMs: number) =>
  queryOptions({
    queryKey: ["tool", url, fetchedSinceMs],
    queryFn: () => callPayloadWorker("tool", { url, fetchedSinceMs }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
