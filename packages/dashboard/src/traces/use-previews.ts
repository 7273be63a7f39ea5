import { useQueries } from "@tanstack/react-query";
import type { TracePreview, TraceRow } from "@whytrace/contract";
import { type PreviewField, previewsQuery } from "./previews-query.ts";

/** Ids are part of the address, which must not become too long. */
const ROWS_PER_REQUEST = 20;

/** What rows show of the contents of their traces, by id. */
export function usePreviews(
  traces: readonly TraceRow[],
  fields: readonly PreviewField[],
  length?: number,
): { previews: ReadonlyMap<string, TracePreview>; isPending: boolean } {
  const requests = Array.from({ length: Math.ceil(traces.length / ROWS_PER_REQUEST) }, (_, index) =>
    traces.slice(index * ROWS_PER_REQUEST, (index + 1) * ROWS_PER_REQUEST),
  );
  const results = useQueries({ queries: requests.map((rows) => previewsQuery(rows, fields, length)) });
  const previews = results.flatMap(({ data }) => data?.previews ?? []);
  return {
    previews: new Map(previews.map((preview) => [preview.id, preview])),
    isPending: results.some((one) => one.isPending),
  };
}
