import { optionName } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { formatCost, formatDuration } from "../../ui/format.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { nodesAfterDecision } from "../model/nodes-after-decision.ts";
import type { DecisionNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { decisionUrl } from "../payload/payload-client.ts";
import { Heading } from "./facts.tsx";
import { NodeLinks } from "./node-links.tsx";

interface DecisionCardProps {
  tree: TraceTree;
  node: DecisionNode;
  onNavigate: (node: TreeNode) => void;
}

/** One decision: why, what was chosen over what, what came of it, what was known. */
export function DecisionCard({ tree, node, onNavigate }: DecisionCardProps) {
  const { type, chosen, alternatives, reasoning, durationMs, costUsd, id } = node.decision;
  const next = nodesAfterDecision(tree, node);
  const figures = [
    `at ${formatDuration(node.startMs - tree.startMs)}`,
    formatDuration(durationMs),
    formatCost(costUsd),
  ];
  return (
    <article style={tintedStyle(type)}>
      <div className="flex flex-wrap items-center gap-2">
        <DecisionIcon isFilled />
        <h2 className="text-base font-semibold">{typeLabel(type)}</h2>
        <span className="tinted rounded-[5px] px-1.5 text-xs font-semibold">
          {node.place.toLocaleString("en")} of {tree.decisions.length.toLocaleString("en")}
        </span>
        <span className="ml-auto text-xs text-muted">
          {figures.filter((text) => text !== "—").join(" · ")}
        </span>
      </div>
      {reasoning ? (
        <blockquote className="my-3 whitespace-pre-wrap break-words rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-2">
          {reasoning}
        </blockquote>
      ) : (
        <p className="my-3 text-muted">No reasoning was sent.</p>
      )}
      <ul aria-label="Options" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <Option option={chosen} isChosen />
        {alternatives.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no identity but their place
          <Option key={index} option={option} />
        ))}
      </ul>
      {alternatives.length === 0 && <p className="mt-1.5 text-xs text-muted">No alternative was sent.</p>}
      <Heading>What happened next</Heading>
      {next.length > 0 ? (
        <NodeLinks tree={tree} nodes={next} onNavigate={onNavigate} />
      ) : (
        <p className="text-muted">Nothing more in this span.</p>
      )}
      {node.parent && (
        <>
          <Heading>Decided in</Heading>
          <NodeLinks tree={tree} nodes={[node.parent]} onNavigate={onNavigate} />
        </>
      )}
      <Heading>Context at that moment</Heading>
      <JsonViewer
        label="Context"
        url={decisionUrl(tree.outline.id, id)}
        pick="contextSnapshot"
        empty={<p className="text-muted">None was sent.</p>}
      />
    </article>
  );
}

const DETAIL_MAX = 400;

function Option({ option, isChosen = false }: { option: unknown; isChosen?: boolean }) {
  const name = optionName(option);
  const detail = detailOf(option, name);
  return (
    <li
      className={`flex items-start gap-2.5 rounded-md border px-3 py-2 ${isChosen ? "border-[var(--tint)] bg-[color-mix(in_oklab,var(--tint)_9%,var(--color-bg))]" : "border-line"}`}
    >
      <span aria-hidden="true" className={isChosen ? "text-[var(--tint)]" : "text-muted"}>
        {isChosen ? "◆" : "◇"}
      </span>
      <span className="min-w-0">
        <span className={`block break-words ${isChosen ? "font-semibold" : ""}`}>
          {name}
          {isChosen && <span className="sr-only"> (chosen)</span>}
        </span>
        {detail && <span className="block break-words font-mono text-xs text-muted">{detail}</span>}
        {!isChosen && <span className="block text-xs text-muted">not chosen</span>}
      </span>
    </li>
  );
}

/** What an option says beyond its name. */
function detailOf(option: unknown, name: string): string {
  if (typeof option !== "object" || option === null) return "";
  const members = Object.entries(option).filter(([, value]) => value !== name);
  if (members.length === 0 || name === JSON.stringify(option)) return "";
  const text = members.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ");
  return text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text;
}
