import { optionName } from "@whytrace/contract";
import { useContext } from "react";
import { InferredBadge, typeLabel } from "../../ui/badges.tsx";
import { findOccurrences } from "../../ui/format/find-occurrences.ts";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { VerdictButtons } from "../../verdicts/verdict-buttons.tsx";
import { nodesAfterDecision } from "../model/nodes-after-decision.ts";
import type { DecisionNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { FindContext } from "../payload/find.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { MarkedText } from "../payload/marked-text.tsx";
import { ShareContext, useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { Heading } from "./facts.tsx";
import { NodeLinks } from "./node-links.tsx";

interface DecisionCardProps {
  tree: TraceTree;
  node: DecisionNode;
  onNavigate: (node: TreeNode) => void;
}

/** A decision's reasoning, options, consequences and context. */
export function DecisionCard({ tree, node, onNavigate }: DecisionCardProps) {
  const { type, chosen, alternatives, reasoning, durationMs, costUsd, id, inferred, alternativesKnown } =
    node.decision;
  const isShared = useContext(ShareContext) !== null;
  const hasPayloads = useHasPayloads();
  const urls = useTraceUrls(tree.outline.id);
  const next = nodesAfterDecision(tree, node);
  const metrics = [
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
          {node.position.toLocaleString("en")} of {tree.decisions.length.toLocaleString("en")}
        </span>
        {inferred && <InferredBadge />}
        <span className="ml-auto text-xs text-muted">
          {metrics.filter((text) => text !== "—").join(" · ")}
        </span>
      </div>
      {reasoning ? (
        <blockquote className="my-3 whitespace-pre-wrap break-words rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-2">
          <MarkedText text={reasoning} field="reasoning" />
        </blockquote>
      ) : (
        <p className="my-3 text-muted">
          {hasPayloads ? "No reasoning provided." : "This link does not include reasoning."}
        </p>
      )}
      <ul aria-label="Options" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <Option option={chosen} isChosen />
        {alternatives.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no ID
          <Option key={index} option={option} />
        ))}
      </ul>
      {alternatives.length === 0 && (
        <p className="mt-1.5 text-xs text-muted">
          {alternativesKnown ? "No alternatives provided." : <UnknownAlternatives />}
        </p>
      )}
      {!isShared && (
        <div className="mt-3">
          <VerdictButtons
            traceId={tree.outline.id}
            decisionPointId={id}
            alternatives={alternatives.map(optionName)}
            hasKeys
          />
        </div>
      )}
      <Heading>What happened next</Heading>
      {next.length > 0 ? (
        <NodeLinks tree={tree} nodes={next} onNavigate={onNavigate} />
      ) : (
        <p className="text-muted">Nothing else happened in this span.</p>
      )}
      {node.parent && (
        <>
          <Heading>Parent span</Heading>
          <NodeLinks tree={tree} nodes={[node.parent]} onNavigate={onNavigate} />
        </>
      )}
      <Heading>Context</Heading>
      <JsonViewer
        label="Context"
        url={urls.decision(id)}
        pick="contextSnapshot"
        empty={<p className="text-muted">None provided.</p>}
      />
    </article>
  );
}

const UnknownAlternatives = () => (
  <>
    The instrumentation does not say what else was on offer. <code>npx whytrace doctor --otlp</code> names the
    setting that makes it send the tools, if it has one.
  </>
);

const MAX_DETAIL_LENGTH = 400;

function Option({ option, isChosen = false }: { option: unknown; isChosen?: boolean }) {
  const { text } = useContext(FindContext);
  const field = isChosen ? "chosen" : "alternatives";
  const name = optionName(option);
  const wholeDetail = detailOf(option, name);
  const detail =
    findOccurrences(wholeDetail.slice(MAX_DETAIL_LENGTH), text, 1).length > 0
      ? wholeDetail
      : truncate(wholeDetail);
  return (
    <li
      className={`flex items-start gap-2.5 rounded-md border px-3 py-2 ${isChosen ? "border-[var(--tint)] bg-[color-mix(in_oklab,var(--tint)_9%,var(--color-bg))]" : "border-line"}`}
    >
      <span aria-hidden="true" className={isChosen ? "text-[var(--tint)]" : "text-muted"}>
        {isChosen ? "◆" : "◇"}
      </span>
      <span className="min-w-0">
        <span className={`block break-words ${isChosen ? "font-semibold" : ""}`}>
          <MarkedText text={name} field={field} />
          {isChosen && <span className="sr-only"> (chosen)</span>}
        </span>
        {detail && (
          <span className="block break-words font-mono text-xs text-muted">
            <MarkedText text={detail} field={field} />
          </span>
        )}
        {!isChosen && <span className="block text-xs text-muted">not chosen</span>}
      </span>
    </li>
  );
}

/** An option's fields other than its name. Options chosen together may be mere names, which need no detail. */
function detailOf(option: unknown, name: string): string {
  if (typeof option !== "object" || option === null) return "";
  const isName = (value: unknown) =>
    value === name || (Array.isArray(option) && typeof value === "string" && name.includes(value));
  const fields = Object.entries(option).filter(([, value]) => !isName(value));
  if (fields.length === 0 || name === JSON.stringify(option)) return "";
  return fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ");
}

const truncate = (text: string) =>
  text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
