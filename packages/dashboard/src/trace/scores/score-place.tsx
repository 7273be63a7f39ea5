import { optionName, type Score } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { decisionKey, spanKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";

type Placed = Pick<Score, "spanId" | "decisionId">;

/** The row that a score judges. Null: the run; undefined: it is not in the trace. */
export function scoredNode(tree: TraceTree, { spanId, decisionId }: Placed): TreeNode | null | undefined {
  if (decisionId !== null) return tree.byKey.get(decisionKey(decisionId));
  return spanId === null ? null : tree.byKey.get(spanKey(spanId));
}

/** The name of a row in a sentence. */
export const nodeName = (node: TreeNode): string =>
  node.kind === "span"
    ? node.span.name
    : `${typeLabel(node.decision.type)}: ${optionName(node.decision.chosen)}`;

interface ScorePlaceProps {
  tree: TraceTree;
  score: Placed;
  onNavigate: (node: TreeNode) => void;
}

/** What a score judges, as a link that selects its row. */
export function ScorePlace({ tree, score, onNavigate }: ScorePlaceProps) {
  const node = scoredNode(tree, score);
  if (node === null) return "on the run";
  if (node === undefined)
    return `on a ${score.spanId === null ? "decision" : "span"} that is not in this trace`;
  const query = node.kind === "span" ? { span: node.span.id } : { decision: node.decision.id };
  return (
    <>
      on{" "}
      <a
        href={`?${new URLSearchParams(query)}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onNavigate(node);
        }}
        className="font-medium text-accent underline-offset-2 hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center"
      >
        {nodeName(node)}
      </a>
    </>
  );
}
