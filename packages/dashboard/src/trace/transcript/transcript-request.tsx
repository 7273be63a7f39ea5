import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import type { SpanNode, TraceTree } from "../model/trace-tree.ts";
import { ConversationView } from "../payload/conversation-view.tsx";
import { PayloadTime } from "../payload/payload-time.ts";
import { useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { toolQuery } from "./tool-query.ts";

/** What the run was asked, if its root says so in plain text. */
export function TranscriptRequest({ tree, node }: { tree: TraceTree; node: SpanNode }) {
  const urls = useTraceUrls(tree.outline.id);
  const hasPayloads = useHasPayloads();
  const outlineMs = useContext(PayloadTime);
  const { data } = useQuery({ ...toolQuery(urls.span(node.span.id), outlineMs), enabled: hasPayloads });
  if (!data?.input || /^\s*[[{]/.test(data.input)) return null;
  const message = { role: "user", parts: [{ kind: "text" as const, text: data.input }] };
  return <ConversationView conversation={{ messages: [message], earlierCount: 0, outputCount: 0 }} />;
}
