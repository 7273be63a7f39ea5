import { useContext } from "react";
import { TypeBadge } from "../../ui/badges.tsx";
import { formatCost, formatCount, formatDuration, formatExact } from "../../ui/format/format.ts";
import { StatusIcon } from "../../ui/status.tsx";
import { cachedCriticalPath } from "../model/cached-critical-path.ts";
import { selfTimeMs } from "../model/self-time.ts";
import type { SpanNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { MarkedText } from "../payload/marked-text.tsx";
import { ShareContext } from "../payload/share-context.ts";
import { Facts, Heading } from "./facts.tsx";
import { modelFacts } from "./model-facts.tsx";
import { NodeLinks } from "./node-links.tsx";

interface SpanOverviewProps {
  tree: TraceTree;
  node: SpanNode;
  onNavigate: (node: TreeNode) => void;
}

export function SpanOverview({ tree, node, onNavigate }: SpanOverviewProps) {
  const isShared = useContext(ShareContext) !== null;
  const { span, parent, parentError, children } = node;
  const criticalSegment = cachedCriticalPath(tree).get(node);
  const traceMs = Math.max(1, tree.endMs - tree.startMs);
  const share = (ms: number) =>
    ms / traceMs < 0.01 ? "less than 1% of the trace" : `${Math.round((ms / traceMs) * 100)}% of the trace`;
  const isOutside = parent && (node.startMs < parent.startMs || node.endMs > parent.endMs);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <StatusIcon status={span.status} />
        <h2 className="min-w-0 break-words text-base font-semibold">
          <MarkedText text={span.name} field="name" />
        </h2>
        <TypeBadge type={span.type} />
      </div>
      {span.statusMessage && (
        <p
          className={`mb-3 whitespace-pre-wrap break-words rounded-r-md border-l-[3px] bg-panel px-3 py-2 ${span.status === "ERROR" ? "border-error text-error" : "border-line"}`}
        >
          <MarkedText text={span.statusMessage} field="statusMessage" />
        </p>
      )}
      <Facts
        facts={[
          ["Duration", node.isUnfinished ? "Still running" : formatDuration(node.durationMs)],
          node.endMs > node.startMs && children.length > 0
            ? ["Self time", `${formatDuration(selfTimeMs(node))}, without child spans`]
            : null,
          criticalSegment
            ? [
                "Critical path",
                `${formatDuration(criticalSegment.toMs - criticalSegment.fromMs)}, ${share(criticalSegment.toMs - criticalSegment.fromMs)}`,
              ]
            : ["Critical path", "Not on the critical path"],
          [
            "Cost",
            node.isCostDerived
              ? `${formatCost(node.costUsd)} Σ (sum of child spans)`
              : formatCost(node.costUsd),
          ],
          [
            "Tokens",
            <span key="tokens" title={formatExact(node.tokenCount)}>
              {formatCount(node.tokenCount)}
              {node.isTokenCountDerived && " Σ"}
            </span>,
          ],
          ...modelFacts(span, isShared),
          ["Started", `${formatDuration(node.startMs - tree.startMs)} after the start · ${span.startedAt}`],
          span.endedAt === null ? null : ["Ended", span.endedAt],
          isOutside ? ["Clock skew", "Runs partly outside its parent"] : null,
          parentError === "missing parent"
            ? ["Parent", `${span.parentSpanId} (not in this trace)`]
            : parentError
              ? ["Parent", "Part of a cycle, so shown at the root"]
              : null,
          [
            "ID",
            <span key="id" className="break-all font-mono text-xs">
              {span.id}
            </span>,
          ],
        ]}
      />
      {parent && (
        <>
          <Heading>Parent span</Heading>
          <NodeLinks tree={tree} nodes={[parent]} onNavigate={onNavigate} />
        </>
      )}
      {children.length > 0 && (
        <>
          <Heading>Children ({children.length.toLocaleString("en")})</Heading>
          <NodeLinks tree={tree} nodes={children} onNavigate={onNavigate} />
        </>
      )}
    </>
  );
}
