import { useQuery } from "@tanstack/react-query";
import type { SearchField } from "@whytrace/contract";
import { useContext } from "react";
import { traceScoresQuery } from "../../scores/scores-query.ts";
import { useRunOutcome } from "../../scores/use-run-outcome.ts";
import { Tabs } from "../../ui/controls/tabs.tsx";
import type { Tab } from "../model/trace-search-params.ts";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { FindContext } from "../payload/find.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { ShareContext, useTraceUrls } from "../payload/share-context.ts";
import { ScoresTab } from "../scores/scores-tab.tsx";
import { SharedWhyTab } from "../why/shared-why-tab.tsx";
import { WhyTab, type WhyTabProps } from "../why/why-tab.tsx";
import { DecisionCard } from "./decision-card.tsx";
import { EventsTab } from "./events-tab.tsx";
import { FindBar } from "./find-bar.tsx";
import { InputOutputTab } from "./input-output-tab.tsx";
import { NodeLinks } from "./node-links.tsx";
import { SpanOverview } from "./span-overview.tsx";
import { TraceOverview } from "./trace-overview.tsx";
import { useRecordFind } from "./use-record-find.ts";

interface DetailsPanelProps {
  tree: TraceTree;
  selected: TreeNode | null;
  /** The selected event, which belongs to the selected span or to no span. */
  eventId: string | undefined;
  tab: Tab;
  /** The searched text, or an empty string. */
  findText: string;
  /** The field in which the text was found. */
  field: SearchField | undefined;
  /** The decisions before the error; null if nothing failed. */
  why: Pick<WhyTabProps, "query" | "current"> | null;
  onTab: (tab: Tab) => void;
  onNavigate: (node: TreeNode) => void;
}

/** Details of the selected span or decision or, without a selection, of the trace. */
export function DetailsPanel(props: DetailsPanelProps) {
  const { tree, selected, eventId, findText, field, why, onTab, onNavigate } = props;
  const traceId = tree.outline.id;
  // A link shows what the agent did, not how the owner judges it.
  const share = useContext(ShareContext);
  const isShared = share !== null;
  const hasWhy = share ? share.hasWhy : why !== null;
  const scores = useQuery({ ...traceScoresQuery(traceId), enabled: !isShared });
  const { outcome } = useRunOutcome(traceId, !isShared);
  const isOffered = (tab: Tab) => (tab === "why" ? hasWhy : tab === "scores" ? !isShared : true);
  const tab = isOffered(props.tab) ? props.tab : "overview";
  const { find, step, ...found } = useRecordFind(
    findText,
    JSON.stringify([selected?.key, eventId, tab, field]),
    field,
  );
  const span = selected?.kind === "decision" ? selected.parent : selected;
  const decisions = span ? span.children.filter((child) => child.kind === "decision") : tree.decisions;
  const events = span ? (tree.eventsBySpan.get(span.span.id) ?? []) : tree.outline.events;
  const tabs = [
    ...(hasWhy ? [{ tab: "why", label: "Why" } as const] : []),
    { tab: "overview", label: "Overview" },
    ...(isShared ? [] : [{ tab: "scores", label: `Scores ${scores.data?.length || ""}`.trim() } as const]),
    { tab: "io", label: "Input / Output" },
    {
      tab: "decisions",
      label: selected?.kind === "decision" ? "Decision" : `Decisions ${decisions.length || ""}`.trim(),
    },
    { tab: "events", label: `Events ${events.length || ""}`.trim() },
    { tab: "raw", label: "Raw" },
  ] as const;
  const urls = useTraceUrls(traceId);
  const hasOwnHeading = tab === "overview" || (tab === "decisions" && selected?.kind === "decision");
  return (
    <FindContext value={find}>
      <Tabs label="Details" tabs={tabs} value={tab} onChange={onTab}>
        {findText && (selected || found.count > 0) && <FindBar text={findText} {...found} onStep={step} />}
        {!hasOwnHeading && <h2 className="sr-only">{span ? span.span.name : "This trace"}</h2>}
        {tab === "why" && why && <WhyTab tree={tree} {...why} onNavigate={onNavigate} />}
        {tab === "why" && share && <SharedWhyTab token={share.token} tree={tree} onNavigate={onNavigate} />}
        {tab === "overview" &&
          (span ? (
            <SpanOverview tree={tree} node={span} onNavigate={onNavigate} />
          ) : (
            <TraceOverview
              key={field}
              tree={tree}
              isMetadataOpen={field === "metadata"}
              onNavigate={onNavigate}
            />
          ))}
        {tab === "scores" && (
          <ScoresTab
            tree={tree}
            selected={selected}
            query={scores}
            outcome={outcome}
            onNavigate={onNavigate}
          />
        )}
        {tab === "io" &&
          (span ? (
            <InputOutputTab key={span.key} traceId={traceId} span={span.span} />
          ) : (
            <p className="text-muted">Select a span to see its input and output.</p>
          ))}
        {tab === "decisions" &&
          (selected?.kind === "decision" ? (
            <DecisionCard key={selected.key} tree={tree} node={selected} onNavigate={onNavigate} />
          ) : decisions.length > 0 ? (
            <NodeLinks tree={tree} nodes={decisions} onNavigate={onNavigate} />
          ) : (
            <p className="text-muted">
              {span ? "No decisions in this span." : "No decisions in this trace."}
            </p>
          ))}
        {tab === "events" && (
          <EventsTab
            key={span?.key}
            tree={tree}
            events={events}
            selectedId={eventId}
            onNavigate={onNavigate}
          />
        )}
        {tab === "raw" && (
          <JsonViewer
            key={selected?.key}
            label="Raw record"
            url={
              !selected
                ? urls.trace
                : selected.kind === "decision"
                  ? urls.decision(selected.decision.id)
                  : urls.span(selected.span.id)
            }
          />
        )}
      </Tabs>
    </FindContext>
  );
}
