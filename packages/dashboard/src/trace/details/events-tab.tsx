import { useEffect, useRef, useState } from "react";
import { typeLabel } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import type { OutlineEvent } from "../model/outline.ts";
import { spanKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { MarkedText } from "../payload/marked-text.tsx";
import { useTraceUrls } from "../payload/share-context.ts";
import { NodeLinks } from "./node-links.tsx";

interface EventsTabProps {
  tree: TraceTree;
  events: OutlineEvent[];
  selectedId: string | undefined;
  onNavigate: (node: TreeNode) => void;
}

const MAX_EVENTS = 200;

export function EventsTab({ tree, events, selectedId, onNavigate }: EventsTabProps) {
  if (events.length === 0) return <p className="text-muted">No events.</p>;
  const shown = events.filter(({ id }, index) => index < MAX_EVENTS || id === selectedId);
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {shown.map((event) => (
        <Event
          key={event.id}
          tree={tree}
          event={event}
          isSelected={event.id === selectedId}
          onNavigate={onNavigate}
        />
      ))}
      {events.length > shown.length && (
        <li className="text-muted">
          {(events.length - shown.length).toLocaleString("en")} more in the Raw tab
        </li>
      )}
    </ul>
  );
}

function Event({
  tree,
  event,
  isSelected,
  onNavigate,
}: {
  tree: TraceTree;
  event: OutlineEvent;
  isSelected: boolean;
  onNavigate: (node: TreeNode) => void;
}) {
  const urls = useTraceUrls(tree.outline.id);
  const [isOpen, setIsOpen] = useState(isSelected);
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    setIsOpen(true);
    element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const node = event.spanId === null ? undefined : tree.byKey.get(spanKey(event.spanId));
  const isError = event.type === "ERROR";
  return (
    <li
      ref={element}
      aria-current={isSelected || undefined}
      className={`scroll-my-16 rounded-md border px-3 py-2 ${isSelected ? "border-accent" : "border-line"}`}
    >
      <div className="flex flex-wrap items-center gap-x-2">
        <span className={`text-xs font-semibold ${isError ? "text-error" : "text-muted"}`}>
          {isError && <span aria-hidden="true">✕ </span>}
          {typeLabel(event.type)}
        </span>
        <span className="min-w-0 break-words font-medium">
          <MarkedText text={event.name} field={isSelected ? "name" : null} />
        </span>
        <span className="ml-auto text-xs text-muted" title={event.timestamp}>
          at {formatDuration(Date.parse(event.timestamp) - tree.startMs)}
        </span>
      </div>
      {node && <NodeLinks tree={tree} nodes={[node]} onNavigate={onNavigate} />}
      <details open={isOpen} onToggle={(change) => setIsOpen(change.currentTarget.open)}>
        <summary className="text-xs text-muted">Metadata</summary>
        {isOpen && (
          <div className="pt-2">
            <JsonViewer
              label="Metadata"
              url={urls.event(event.id)}
              pick="metadata"
              isFound={isSelected}
              empty={<p className="text-muted">None provided.</p>}
            />
          </div>
        )}
      </details>
    </li>
  );
}
