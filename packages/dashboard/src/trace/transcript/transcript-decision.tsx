import { optionName } from "@whytrace/contract";
import { InferredBadge, typeLabel } from "../../ui/badges.tsx";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { DecisionNode, TreeNode } from "../model/trace-tree.ts";
import { MarkedText } from "../payload/marked-text.tsx";

const MAX_OPTIONS = 6;

interface TranscriptDecisionProps {
  node: DecisionNode;
  onNavigate: (node: TreeNode) => void;
}

/** What was decided, instead of what, and why. */
export function TranscriptDecision({ node, onNavigate }: TranscriptDecisionProps) {
  const { type, chosen, alternatives, reasoning, inferred } = node.decision;
  const others = alternatives.slice(0, MAX_OPTIONS).map(optionName);
  const more = alternatives.length - others.length;
  return (
    <div
      style={tintedStyle(type)}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2 px-3"
    >
      <span className="self-start pt-0.5">
        <DecisionIcon isFilled />
      </span>
      <p className="min-w-0 break-words">
        <span className="text-muted">{typeLabel(type)}: </span>
        <button
          type="button"
          className="break-words text-left font-semibold text-[var(--tint)] hover:underline"
          onClick={() => onNavigate(node)}
        >
          {optionName(chosen)}
        </button>
        {others.length > 0 && (
          <span className="text-muted">
            {" "}
            instead of {others.join(", ")}
            {more > 0 && ` and ${more} more`}
          </span>
        )}{" "}
        {inferred && <InferredBadge />}
      </p>
      {reasoning && (
        <p className="col-start-2 line-clamp-4 whitespace-pre-wrap break-words text-muted">
          <MarkedText text={reasoning} field="reasoning" />
        </p>
      )}
    </div>
  );
}
