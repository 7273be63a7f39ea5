import type { PostedSpan } from "../../trace-store/rows/trace-piece.ts";
import type { SpanFacts } from "../map/span-facts.ts";
import { usageFacts } from "./usage-facts.ts";

/** The facts of a span that came by `POST /api/traces`, so that it counts when spans are merged into its trace. */
export function postedFacts(row: PostedSpan): SpanFacts {
  return {
    id: row.id,
    ...(row.parentSpanId !== null && { parentId: row.parentSpanId }),
    name: "span",
    type: row.type,
    status: row.status,
    startMs: row.startedAt,
    endMs: row.endedAt ?? row.startedAt,
    ...(row.tokenCount !== null && { tokens: row.tokenCount }),
    ...(row.costUsd !== null && { costUsd: row.costUsd }),
    ...usageFacts(row.usage),
    hasInput: true,
    hasOutput: true,
  };
}
