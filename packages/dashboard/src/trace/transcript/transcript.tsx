import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { NodeLinks } from "../details/node-links.tsx";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { type TranscriptEntry, transcriptEntries } from "../model/transcript-entries.ts";
import { TranscriptCall } from "./transcript-call.tsx";
import { TranscriptDecision } from "./transcript-decision.tsx";
import { TranscriptRequest } from "./transcript-request.tsx";
import { TranscriptTool } from "./transcript-tool.tsx";

interface TranscriptProps {
  tree: TraceTree;
  selectedKey: string | null;
  onNavigate: (node: TreeNode) => void;
}

const ESTIMATED_HEIGHT = { request: 70, call: 220, tool: 110, other: 60 } as const;

/** The trace as a conversation: model messages, with decisions and tool calls in between. */
export function Transcript({ tree, selectedKey, onNavigate }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => transcriptEntries(tree), [tree]);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ESTIMATED_HEIGHT[entries[index]?.kind ?? "other"],
    getItemKey: (index) => (entries[index] ? `${entries[index].kind} ${entries[index].node.key}` : index),
    overscan: 3,
    initialOffset: () =>
      Math.max(
        0,
        entries.findIndex(({ node }) => node.key === selectedKey),
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
          const entry = entries[index];
          if (!entry) return null;
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
              <Entry tree={tree} entry={entry} onNavigate={onNavigate} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface EntryProps {
  tree: TraceTree;
  entry: TranscriptEntry;
  onNavigate: (node: TreeNode) => void;
}

function Entry({ tree, entry, onNavigate }: EntryProps) {
  if (entry.kind === "request") return <TranscriptRequest tree={tree} node={entry.node} />;
  if (entry.kind === "tool") return <TranscriptTool tree={tree} node={entry.node} onNavigate={onNavigate} />;
  if (entry.kind === "call") return <TranscriptCall tree={tree} call={entry} onNavigate={onNavigate} />;
  return entry.node.kind === "decision" ? (
    <TranscriptDecision node={entry.node} onNavigate={onNavigate} />
  ) : (
    <NodeLinks tree={tree} nodes={[entry.node]} onNavigate={onNavigate} />
  );
}
