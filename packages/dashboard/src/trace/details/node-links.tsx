import { optionName } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { DecisionIcon, SpanIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";

const MAX_LINKS = 100;

interface NodeLinksProps {
  tree: TraceTree;
  nodes: TreeNode[];
  onNavigate: (node: TreeNode) => void;
}

/** A list of links to spans and decisions. */
export function NodeLinks({ tree, nodes, onNavigate }: NodeLinksProps) {
  return (
    <ul>
      {nodes.slice(0, MAX_LINKS).map((node) => (
        <li key={node.key} style={tintedStyle(node.kind === "span" ? node.span.type : node.decision.type)}>
          <a
            href={hrefOf(node)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              onNavigate(node);
            }}
            className="-mx-2 flex min-h-7 items-center gap-2 rounded px-2 hover:bg-panel max-sm:min-h-11"
          >
            {node.kind === "span" ? <SpanIcon /> : <DecisionIcon />}
            <NodeLabel node={node} />
            <span className="ml-auto shrink-0 pl-2 text-xs text-muted">
              {node.kind === "span" && node.durationMs !== null
                ? formatDuration(node.durationMs)
                : `at ${formatDuration(node.startMs - tree.startMs)}`}
            </span>
          </a>
        </li>
      ))}
      {nodes.length > MAX_LINKS && (
        <li className="pt-1 text-muted">
          {(nodes.length - MAX_LINKS).toLocaleString("en")} more in the tree
        </li>
      )}
    </ul>
  );
}

const hrefOf = (node: TreeNode) =>
  node.kind === "span"
    ? `?span=${encodeURIComponent(node.span.id)}`
    : `?decision=${encodeURIComponent(node.decision.id)}`;

function NodeLabel({ node }: { node: TreeNode }) {
  if (node.kind === "decision")
    return (
      <span className="min-w-0 truncate">
        <span className="font-medium">{typeLabel(node.decision.type)}</span>{" "}
        <span className="text-muted">{optionName(node.decision.chosen)}</span>
      </span>
    );
  const { name, status, statusMessage } = node.span;
  return (
    <span className="min-w-0 truncate">
      <span className="font-medium">{name}</span>{" "}
      {status === "ERROR" && <span className="text-error">✕ {statusMessage ?? "Error"}</span>}
    </span>
  );
}
