import { useState } from "react";
import { typeLabel } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format.ts";
import type { OutlineEvent } from "../model/outline.ts";
import { spanKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { eventUrl } from "../payload/payload-client.ts";
import { NodeLinks } from "./node-links.tsx";

interface EventsTabProps {
  tree: TraceTree;
  events: OutlineEvent[];
  onNavigate: (node: TreeNode) => void;
}

const MAX_EVENTS = 200;

export function EventsTab({ tree, events, onNavigate }: EventsTabProps) {
  if (events.length === 0) return <p className="text-muted">No events.</p>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {events.slice(0, MAX_EVENTS).map((event) => (
        <Event key={event.id} tree={tree} event={event} onNavigate={onNavigate} />
      ))}
      {events.length > MAX_EVENTS && (
        <li className="text-muted">
          {(events.length - MAX_EVENTS).toLocaleString("en")} more in the Raw tab
        </li>
      )}
    </ul>
  );
}

function Event({
  tree,
  event,
  onNavigate,
}: {
  tree: TraceTree;
  event: OutlineEvent;
  onNavigate: (node: TreeNode) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const node = event.spanId === null ? undefined : tree.byKey.get(spanKey(event.spanId));
  const isError = event.type === "ERROR";
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <span className={`text-xs font-semibold ${isError ? "text-error" : "text-muted"}`}>
          {isError && <span aria-hidden="true">✕ </span>}
          {typeLabel(event.type)}
        </span>
        <span className="min-w-0 break-words font-medium">{event.name}</span>
        <span className="ml-auto text-xs text-muted" title={event.timestamp}>
          at {formatDuration(Date.parse(event.timestamp) - tree.startMs)}
        </span>
      </div>
      {node && <NodeLinks tree={tree} nodes={[node]} onNavigate={onNavigate} />}
      <details onToggle={(change) => setIsOpen(change.currentTarget.open)}>
        <summary className="text-xs text-muted">Metadata</summary>
        {isOpen && (
          <div className="pt-2">
            <JsonViewer
              label="Metadata"
              url={eventUrl(tree.outline.id, event.id)}
              pick="metadata"
              empty={<p className="text-muted">None provided.</p>}
            />
          </div>
        )}
      </details>
    </li>
  );
}
