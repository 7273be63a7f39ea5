import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { TraceRow } from "@whytrace/contract";
import { api } from "../client/api.ts";

export type PreviewField = "error" | "input" | "output";

/** A line of text for each row, fetched after the rows so that the list does not wait for it. */
export const previewsQuery = (
  traces: readonly TraceRow[],
  fields: readonly PreviewField[],
  length: number | undefined,
) =>
  queryOptions({
    // A running trace gets spans, and with them other texts.
    queryKey: [
      "trace-previews",
      fields,
      length,
      traces.map(({ id, status, _count }) => [id, status, _count.spans]),
    ],
    queryFn: ({ signal }) =>
      api("GET /api/trace-previews", {
        query: { ids: traces.map(({ id }) => id).join(","), fields: fields.join(","), length },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
