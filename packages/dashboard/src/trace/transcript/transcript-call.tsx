import { useQueries } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { formatDuration } from "../../ui/format/format.ts";
import { SpanIcon } from "../../ui/node-icons.tsx";
import { LoadError } from "../../ui/notice.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import type { TranscriptCallEntry } from "../model/transcript-entries.ts";
import { ConversationView } from "../payload/conversation-view.tsx";
import type { MessagePart } from "../payload/message.ts";
import { NoPayloads } from "../payload/no-payloads.tsx";
import type { Conversation } from "../payload/payload-protocol.ts";
import { PayloadTime } from "../payload/payload-time.ts";
import { useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { useConversation } from "../payload/use-conversation.ts";
import { toolQuery } from "./tool-query.ts";

interface TranscriptCallProps {
  tree: TraceTree;
  call: TranscriptCallEntry;
  onNavigate: (node: TreeNode) => void;
}

/** A model call: what is new in its messages. */
export function TranscriptCall({ tree, call, onNavigate }: TranscriptCallProps) {
  const { node, previous, request, tools } = call;
  const [isComplete, setIsComplete] = useState(false);
  const urls = useTraceUrls(tree.outline.id);
  const hasPayloads = useHasPayloads();
  const { conversation, error, retry } = useConversation(
    hasPayloads ? urls.span(node.span.id) : null,
    isComplete
      ? undefined
      : {
          previousUrls: previous.map(({ span }) => urls.span(span.id)),
          requestUrl: request && urls.span(request.span.id),
        },
  );
  const outlineMs = useContext(PayloadTime);
  const texts = useQueries({
    queries: tools.map(({ span }) => ({
      ...toolQuery(urls.span(span.id), outlineMs),
      enabled: hasPayloads,
    })),
  });
  const silent = tools.filter(({ span }, index) => !span.statusMessage && texts[index]?.data?.output === "");
  const shown =
    conversation && tools.length > silent.length && !isComplete
      ? withoutResults(
          conversation,
          silent.map(({ span }) => span.name),
        )
      : conversation;
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
      ) : shown === undefined ? (
        <div role="status" aria-label="Loading" className="mx-3 mb-3 h-24 rounded bg-sunken" />
      ) : shown ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 pb-3">
          {shown.earlierCount > 0 && (
            <button
              type="button"
              className="justify-self-start text-xs text-accent hover:underline max-sm:min-h-6"
              onClick={() => setIsComplete(true)}
            >
              {shown.earlierCount} earlier {shown.earlierCount === 1 ? "message" : "messages"}
            </button>
          )}
          <ConversationView conversation={shown} />
        </div>
      ) : (
        <p className="px-3 pb-2 text-xs text-muted">
          No messages in a known format were recorded.{" "}
          <button type="button" className="text-accent underline" onClick={() => onNavigate(node)}>
            View input and output
          </button>
        </p>
      )}
    </article>
  );
}

/** Results that the tools above show already count as earlier messages. Those of tools whose span has none stay. */
function withoutResults(conversation: Conversation, silent: readonly string[]): Conversation {
  const isKept = ({ kind, name }: MessagePart) =>
    kind !== "result" || (name !== undefined && silent.some((tool) => tool.endsWith(name)));
  const { messages, outputCount, earlierCount } = conversation;
  const sent = messages.slice(0, messages.length - outputCount);
  const others = sent.flatMap((message) => {
    const parts = message.parts.filter(isKept);
    return parts.length === 0 ? [] : { ...message, parts };
  });
  return {
    messages: [...others, ...messages.slice(sent.length)],
    earlierCount: earlierCount + sent.length - others.length,
    outputCount,
  };
}
