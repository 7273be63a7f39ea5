import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError } from "../client/api.ts";
import { DecisionCard } from "../trace/details/decision-card.tsx";
import { InputOutputTab } from "../trace/details/input-output-tab.tsx";
import { buildTree } from "../trace/model/build-tree.ts";
import { type Outline, outlineQuery } from "../trace/model/outline.ts";
import type { TreeNode } from "../trace/model/trace-tree.ts";
import { PayloadTime } from "../trace/payload/payload-time.ts";
import { Transcript } from "../trace/transcript/transcript.tsx";
import { formatDuration } from "../ui/format/format.ts";
import { EmptyState } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status.tsx";
import "../trace/trace.css";

/** What an agent did, as a conversation, without what others said about it. */
export function ReviewedRun({ traceId }: { traceId: string }) {
  const query = useQuery(outlineQuery(traceId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <div className="flex-1">
        <EmptyState title="This run was deleted">
          <p>Skip it.</p>
        </EmptyState>
      </div>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <QueryResult query={query} skeleton={<SkeletonRows />}>
        {(outline) => <Run outline={outline} outlineMs={query.dataUpdatedAt} />}
      </QueryResult>
    </div>
  );
}

function Run({ outline, outlineMs }: { outline: Outline; outlineMs: number }) {
  const tree = useMemo(() => buildTree(outline), [outline]);
  const [selected, setSelected] = useState<TreeNode | null>(null);
  const node = selected ?? tree.spans[0] ?? null;
  return (
    <PayloadTime value={outlineMs}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <h2 className="min-w-0 break-words text-base font-semibold">{outline.name}</h2>
        <StatusBadge status={outline.status} />
        <span className="text-xs text-muted">
          {formatDuration(tree.durationMs)} · <RelativeTime instant={outline.startedAt} />
        </span>
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] border-t border-line lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <section aria-label="Input and output" className="min-w-0 border-line p-4 lg:order-2 lg:border-l">
          {node?.kind === "span" && (
            <>
              <h3 className="pb-2 font-semibold">{node.span.name}</h3>
              <InputOutputTab key={node.key} traceId={outline.id} span={node.span} />
            </>
          )}
          {node?.kind === "decision" && (
            <DecisionCard key={node.key} tree={tree} node={node} onNavigate={setSelected} />
          )}
          {node === null && <p className="text-muted">This run has no spans.</p>}
        </section>
        <div className="flex h-[60dvh] min-w-0 flex-col py-2 max-lg:border-t max-lg:border-line lg:h-[calc(100dvh-13rem)]">
          <Transcript tree={tree} selectedKey={node?.key ?? null} onNavigate={setSelected} />
        </div>
      </div>
    </PayloadTime>
  );
}
