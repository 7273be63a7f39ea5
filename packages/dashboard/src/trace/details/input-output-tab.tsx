import { useContext, useRef, useState } from "react";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { findOccurrences } from "../../ui/format/find-occurrences.ts";
import type { OutlineSpan } from "../model/outline.ts";
import { ConversationView } from "../payload/conversation-view.tsx";
import { FindContext, useFindTarget } from "../payload/find.ts";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { NoPayloads } from "../payload/no-payloads.tsx";
import type { Conversation } from "../payload/payload-protocol.ts";
import { useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { useConversation } from "../payload/use-conversation.ts";
import { Heading } from "./facts.tsx";

const FORMATS = ["messages", "JSON"] as const;
type Format = (typeof FORMATS)[number];

/** A span's input and output, as messages if they are a conversation, and as JSON. */
export function InputOutputTab(props: { traceId: string; span: OutlineSpan }) {
  return useHasPayloads() ? <InputOutput {...props} /> : <NoPayloads />;
}

function InputOutput({ traceId, span }: { traceId: string; span: OutlineSpan }) {
  const url = useTraceUrls(traceId).span(span.id);
  const { text } = useContext(FindContext);
  const { conversation } = useConversation(url);
  const [chosenFormat, setFormat] = useState<Format | null>(null);
  // The messages leave out parts of the payloads. What was found may be in one of them.
  const format =
    chosenFormat ?? (text && conversation && !contains(conversation, text) ? "JSON" : "messages");
  return (
    <>
      {conversation && (
        <div className="mb-3 flex">
          <SegmentedControl label="Format" options={FORMATS} value={format} onChange={setFormat} />
        </div>
      )}
      {conversation === undefined ? (
        <Loading />
      ) : conversation && format === "messages" ? (
        <ConversationView conversation={conversation} />
      ) : (
        <div className="[&>h3:first-child]:mt-0">
          <Heading>Input</Heading>
          <JsonViewer label="Input" url={url} pick="input" empty={<None />} />
          <Heading>Output</Heading>
          <JsonViewer label="Output" url={url} pick="output" empty={<None />} />
        </div>
      )}
      <Heading>Metadata</Heading>
      <JsonViewer label="Metadata" url={url} pick="metadata" empty={<None />} />
    </>
  );
}

/** The search waits until it is known how the payloads are shown. */
function Loading() {
  const element = useRef<HTMLDivElement>(null);
  const { text } = useContext(FindContext);
  useFindTarget(element, { field: null, count: text ? null : 0, reveal: () => {} });
  return (
    <div
      ref={element}
      role="status"
      aria-label="Loading"
      className="h-32 animate-[fade-in_0s_150ms_both] rounded-md bg-sunken"
    />
  );
}

const contains = ({ messages }: Conversation, text: string) =>
  messages.some(({ parts }) =>
    parts.some((part) =>
      [part.text, part.name ?? ""].some((one) => findOccurrences(one, text, 1).length > 0),
    ),
  );

const None = () => <p className="text-muted">None provided.</p>;
