import type { ParsedSpan } from "@whytrace/contract";
import type { SpanFacts } from "./span-facts.ts";

/** What is stored of a span that was posted. */
export type PostedSpan = Pick<
  ParsedSpan,
  "id" | "parentSpanId" | "type" | "status" | "startedAt" | "endedAt" | "tokenCount" | "costUsd"
> & { name?: string };

/** The facts of a span that came by `POST /api/traces`, so that it counts when spans are merged into its trace. */
export function postedFacts(row: PostedSpan): SpanFacts {
  return {
    id: row.id,
    ...(row.parentSpanId !== null && { parentId: row.parentSpanId }),
    name: row.name ?? "span",
    type: row.type,
    status: row.status,
    startMs: row.startedAt,
    endMs: row.endedAt ?? row.startedAt,
    ...(row.tokenCount !== null && { tokens: row.tokenCount }),
    ...(row.costUsd !== null && { costUsd: row.costUsd }),
    hasInput: true,
    hasOutput: true,
  };
}
