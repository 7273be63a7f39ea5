import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { drawnWords, optionName } from "@whytrace/contract";
import { useContext } from "react";
import { omitEmpty } from "../../client/search-params.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { InferredBadge, typeLabel } from "../../ui/badges.tsx";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { VerdictButtons } from "../../verdicts/verdict-buttons.tsx";
import { nodesAfterDecision } from "../model/nodes-after-decision.ts";
import type { DecisionNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { MarkedText } from "../payload/marked-text.tsx";
import { ShareContext, useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { DecisionOption } from "./decision-option.tsx";
import { decisionRatesQuery } from "./decision-rates-query.ts";
import { Heading } from "./facts.tsx";
import { NodeLinks } from "./node-links.tsx";
import { OptionRate } from "./option-rate.tsx";
import { SentMessages } from "./sent-messages.tsx";

interface DecisionCardProps {
  tree: TraceTree;
  node: DecisionNode;
  onNavigate: (node: TreeNode) => void;
}

/** A decision's reasoning, options, consequences and context. */
export function DecisionCard({ tree, node, onNavigate }: DecisionCardProps) {
  const { type, chosen, alternatives, reasoning, durationMs, costUsd, id, inferred, alternativesKnown } =
    node.decision;
  const { probability } = node.decision;
  const isShared = useContext(ShareContext) !== null;
  const isReadOnly = useIsReadOnly();
  const hasPayloads = useHasPayloads();
  const urls = useTraceUrls(tree.outline.id);
  const next = nodesAfterDecision(tree, node);
  const tool = next.find((one) => one.kind === "span" && one.span.type === "TOOL_CALL");
  // The rates come from other runs of the owner.
  const { data: rates } = useQuery({
    ...decisionRatesQuery(tree.outline.id, id),
    enabled: !isShared,
    retry: false,
  });
  const isOfCall = node.parent?.span.type === "LLM_CALL";
  const callUrl = urls.span(node.parent?.span.id ?? "");
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
      {probability !== null && <p className="my-3 text-muted">{drawnWords(probability)}</p>}
      {reasoning ? (
        <blockquote className="my-3 whitespace-pre-wrap break-words rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-2">
          <MarkedText text={reasoning} field="reasoning" />
        </blockquote>
      ) : (
        probability === null && (
          <p className="my-3 text-muted">
            {hasPayloads ? "No reasoning provided." : "This link does not include reasoning."}
          </p>
        )
      )}
      <ul aria-label="Options" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <DecisionOption
          option={chosen}
          isChosen
          rate={<OptionRate rates={rates} index={0} option={chosen} />}
        />
        {alternatives.map((option, index) => (
          <DecisionOption
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no ID
            key={index}
            option={option}
            rate={<OptionRate rates={rates} index={index + 1} option={option} />}
          />
        ))}
      </ul>
      {rates && (
        <p className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-xs text-muted">
          <span>
            Share of bad runs after each, of {rates.decisions.toLocaleString("en")}{" "}
            {rates.decisions === 1 ? "such decision" : "such decisions"} in 30 days. It does not say why.
          </span>
          <Link
            to={paths.scorecard}
            params={{ signature: rates.signature }}
            search={omitEmpty({ agent: rates.agent, option: rates.options[0]?.step })}
            className="text-accent hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center"
          >
            Scorecard
          </Link>
        </p>
      )}
      {alternatives.length === 0 && (
        <p className="mt-1.5 text-xs text-muted">
          {alternativesKnown ? "No alternatives provided." : <UnknownAlternatives />}
        </p>
      )}
      {!isShared && !isReadOnly && (
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
        <p className="text-muted">Nothing was recorded after it.</p>
      )}
      {tool?.kind === "span" && hasPayloads && (
        <div className="mt-1.5">
          <JsonViewer
            label={`Result of ${tool.span.name}`}
            url={urls.span(tool.span.id)}
            pick="output"
            isFound={false}
            empty={tool.span.status !== "ERROR" && <p className="text-xs text-muted">It returned nothing.</p>}
          />
        </div>
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
        empty={isOfCall ? <SentMessages url={callUrl} /> : <p className="text-muted">None provided.</p>}
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
