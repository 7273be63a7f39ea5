import { TypeBadge } from "../../ui/badges.tsx";
import { formatCost, formatCount, formatDuration, formatExact } from "../../ui/format.ts";
import { StatusIcon } from "../../ui/status.tsx";
import { cachedCriticalPath } from "../model/cached-critical-path.ts";
import { selfTimeMs } from "../model/self-time.ts";
import type { SpanNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { Facts, Heading } from "./facts.tsx";
import { NodeLinks } from "./node-links.tsx";

interface SpanOverviewProps {
  tree: TraceTree;
  node: SpanNode;
  onNavigate: (node: TreeNode) => void;
}

export function SpanOverview({ tree, node, onNavigate }: SpanOverviewProps) {
  const { span, parent, fault, children } = node;
  const stretch = cachedCriticalPath(tree).get(node);
  const wholeMs = Math.max(1, tree.endMs - tree.startMs);
  const share = (ms: number) =>
    ms / wholeMs < 0.01 ? "less than 1 % of the run" : `${Math.round((ms / wholeMs) * 100)} % of the run`;
  const isOutside = parent && (node.startMs < parent.startMs || node.endMs > parent.endMs);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <StatusIcon status={span.status} />
        <h2 className="min-w-0 break-words text-base font-semibold">{span.name}</h2>
        <TypeBadge type={span.type} />
      </div>
      {span.statusMessage && (
        <p
          className={`mb-3 whitespace-pre-wrap break-words rounded-r-md border-l-[3px] bg-panel px-3 py-2 ${span.status === "ERROR" ? "border-error text-error" : "border-line"}`}
        >
          {span.statusMessage}
        </p>
      )}
      <Facts
        facts={[
          ["Duration", node.isUnfinished ? "still running" : formatDuration(node.durationMs)],
          node.endMs > node.startMs && children.length > 0
            ? ["Own time", `${formatDuration(selfTimeMs(node))}, while no child ran`]
            : null,
          stretch
            ? [
                "Critical path",
                `${formatDuration(stretch.toMs - stretch.fromMs)}, ${share(stretch.toMs - stretch.fromMs)}`,
              ]
            : ["Critical path", "not on it: the run did not wait for this"],
          [
            "Cost",
            node.isCostDerived
              ? `${formatCost(node.costUsd)} Σ, the sum of what is beneath`
              : formatCost(node.costUsd),
          ],
          [
            "Tokens",
            <span key="tokens" title={formatExact(node.tokenCount)}>
              {formatCount(node.tokenCount)}
              {node.isTokenCountDerived && " Σ"}
            </span>,
          ],
          ["Started", `${formatDuration(node.startMs - tree.startMs)} into the run · ${span.startedAt}`],
          span.endedAt === null ? null : ["Ended", span.endedAt],
          isOutside ? ["Clock", "partly outside its parent's time"] : null,
          fault === "missing parent"
            ? ["Parent", `${span.parentSpanId}, which is not in this trace`]
            : fault
              ? ["Parent", "runs in a circle, so it stands at the root"]
              : null,
          [
            "Id",
            <span key="id" className="break-all font-mono text-xs">
              {span.id}
            </span>,
          ],
        ]}
      />
      {parent && (
        <>
          <Heading>Inside</Heading>
          <NodeLinks tree={tree} nodes={[parent]} onNavigate={onNavigate} />
        </>
      )}
      {children.length > 0 && (
        <>
          <Heading>Directly beneath ({children.length.toLocaleString("en")})</Heading>
          <NodeLinks tree={tree} nodes={children} onNavigate={onNavigate} />
        </>
      )}
    </>
  );
}
