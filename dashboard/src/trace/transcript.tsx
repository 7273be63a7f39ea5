import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { formatDuration } from "../ui/format/format.ts";
import { SpanIcon } from "../ui/node-icons.tsx";
import { LoadError } from "../ui/notice.tsx";
import { tintedStyle } from "../ui/tinted-style.ts";
import { NodeLinks } from "./details/node-links.tsx";
import type { SpanNode, TraceTree, TreeNode } from "./model/trace-tree.ts";
import { ConversationView } from "./payload/conversation-view.tsx";
import { NoPayloads } from "./payload/no-payloads.tsx";
import { useHasPayloads, useTraceUrls } from "./payload/share-context.ts";
import { useConversation } from "./payload/use-conversation.ts";

interface TranscriptProps {
  tree: TraceTree;
  selectedKey: string | null;
  onNavigate: (node: TreeNode) => void;
}

const isInTranscript = (node: TreeNode) =>
  node.kind === "decision" ||
  node.span.type === "LLM_CALL" ||
  node.span.type === "TOOL_CALL" ||
  node.span.status === "ERROR";

/** The trace as a conversation: model messages, with decisions and tool calls in between. */
export function Transcript({ tree, selectedKey, onNavigate }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useMemo(
    () => tree.order.filter(isInTranscript).sort((a, b) => a.startMs - b.startMs),
    [tree],
  );
  const previousByCall = useMemo(() => previousCalls(entries), [entries]);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (isCall(entries[index]) ? 220 : 36),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 3,
    initialOffset: () =>
      Math.max(
        0,
        entries.findIndex((node) => node.key === selectedKey),
      ) * 60,
  });
  if (entries.length === 0)
    return <p className="p-6 text-muted">This trace has no model calls, tool calls or decisions.</p>;
  return (
    <section
      ref={scroller}
      aria-label="Transcript"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
    >
      <ol className="relative mx-auto max-w-3xl" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const node = entries[index];
          if (!node) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 px-4 py-1.5"
              style={{ top: start }}
            >
              {isCall(node) ? (
                <Call
                  tree={tree}
                  node={node}
                  previous={previousByCall.get(node) ?? null}
                  onNavigate={onNavigate}
                />
              ) : (
                <NodeLinks tree={tree} nodes={[node]} onNavigate={onNavigate} />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const isCall = (node: TreeNode | undefined): node is SpanNode =>
  node?.kind === "span" && node.span.type === "LLM_CALL";

/** For each call, the previous call with the same parent, which has the start of the same conversation. */
function previousCalls(entries: TreeNode[]): Map<SpanNode, SpanNode> {
  const last = new Map<SpanNode | null, SpanNode>();
  const previousByCall = new Map<SpanNode, SpanNode>();
  for (const node of entries) {
    if (!isCall(node)) continue;
    const previous = last.get(node.parent);
    if (previous) previousByCall.set(node, previous);
    last.set(node.parent, node);
  }
  return previousByCall;
}

interface CallProps {
  tree: TraceTree;
  node: SpanNode;
  previous: SpanNode | null;
  onNavigate: (node: TreeNode) => void;
}

function Call({ tree, node, previous, onNavigate }: CallProps) {
  const [isComplete, setIsComplete] = useState(false);
  const urls = useTraceUrls(tree.outline.id);
  const hasPayloads = useHasPayloads();
  const { conversation, error, retry } = useConversation(
    hasPayloads ? urls.span(node.span.id) : null,
    previous && !isComplete ? urls.span(previous.span.id) : null,
  );
  return (
    <article className="rounded-md border border-line" style={tintedStyle(node.span.type)}>
      <div className="flex items-center gap-2 px-3 py-1.5">
        <SpanIcon />
        <button
          type="button"
          className="min-w-0 truncate font-medium hover:underline"
          onClick={() => onNavigate(node)}
        >
          {node.span.name}
        </button>
        {node.span.status === "ERROR" && (
          <span className="truncate text-error">✕ {node.span.statusMessage ?? "Error"}</span>
        )}
        <span className="ml-auto shrink-0 text-xs text-muted">{formatDuration(node.durationMs)}</span>
      </div>
      {!hasPayloads ? (
        <div className="px-3 pb-3">
          <NoPayloads />
        </div>
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : conversation === undefined ? (
        <div role="status" aria-label="Loading" className="mx-3 mb-3 h-24 rounded bg-sunken" />
      ) : conversation ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 pb-3">
          {conversation.earlierCount > 0 && (
            <button
              type="button"
              className="justify-self-start text-xs text-accent hover:underline"
              onClick={() => setIsComplete(true)}
            >
              {conversation.earlierCount} earlier {conversation.earlierCount === 1 ? "message" : "messages"}
            </button>
          )}
          <ConversationView conversation={conversation} />
        </div>
      ) : (
        <p className="px-3 pb-2 text-xs text-muted">
          The input and output are not a known message format.{" "}
          <button type="button" className="text-accent underline" onClick={() => onNavigate(node)}>
            View input and output
          </button>
        </p>
      )}
    </article>
  );
}
