import { useState } from "react";
import { Tag } from "../../ui/badges.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { useTraceUrls } from "../payload/share-context.ts";
import { Facts, Heading } from "./facts.tsx";
import { MaskedCounts } from "./masked-counts.tsx";
import { NodeLinks } from "./node-links.tsx";

/** The trace's errors, decisions and properties. */
export function TraceOverview({
  tree,
  isMetadataOpen,
  onNavigate,
}: {
  tree: TraceTree;
  /** Whether the metadata is shown at first. */
  isMetadataOpen: boolean;
  onNavigate: (node: TreeNode) => void;
}) {
  const { outline, errors, decisions } = tree;
  const urls = useTraceUrls(outline.id);
  const [isOpen, setIsOpen] = useState(isMetadataOpen);
  return (
    <>
      <h2 className="text-base font-semibold">This trace</h2>
      {errors.length > 0 && (
        <>
          <Heading>Errors</Heading>
          <NodeLinks tree={tree} nodes={errors.slice(0, 20)} onNavigate={onNavigate} />
        </>
      )}
      {decisions.length > 0 && (
        <>
          <Heading>Decisions</Heading>
          <NodeLinks tree={tree} nodes={decisions.slice(0, 20)} onNavigate={onNavigate} />
          {decisions.length > 20 && (
            <p className="pt-1 text-muted">
              {(decisions.length - 20).toLocaleString("en")} more in the Decisions tab
            </p>
          )}
        </>
      )}
      <Heading>Properties</Heading>
      <Facts
        facts={[
          outline.tags.length > 0
            ? [
                "Tags",
                <span key="tags" className="flex flex-wrap gap-1">
                  {outline.tags.map((tag, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: tags may repeat
                    <Tag key={index}>{tag}</Tag>
                  ))}
                </span>,
              ]
            : null,
          outline.models.length > 0 ? ["Models", outline.models.join(", ")] : null,
          outline.isCostDerived ? ["Cost", "Computed from models and tokens"] : null,
          ["Started", outline.startedAt],
          ["Ended", outline.endedAt ?? "—"],
          ["Received", <RelativeTime key="received" instant={outline.createdAt} />],
          [
            "ID",
            <span key="id" className="break-all font-mono text-xs">
              {outline.id}
            </span>,
          ],
        ]}
      />
      <MaskedCounts traceId={outline.id} />
      <details className="mt-5" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="text-xs font-semibold text-muted">Metadata</summary>
        {isOpen && (
          <div className="pt-2">
            <JsonViewer
              label="Metadata"
              url={urls.trace}
              pick="metadata"
              empty={<p className="text-muted">None provided.</p>}
            />
          </div>
        )}
      </details>
    </>
  );
}
