import { useState } from "react";
import { SegmentedControl } from "../../ui/segmented-control.tsx";
import type { OutlineSpan } from "../model/outline.ts";
import { ConversationView } from "../payload/conversation-view.tsx";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { spanUrl } from "../payload/payload-client.ts";
import { useConversation } from "../payload/use-conversation.ts";
import { Heading } from "./facts.tsx";

const FORMATS = ["messages", "JSON"] as const;

/** A span's input and output, as messages if they are a conversation, and as JSON. */
export function InputOutputTab({ traceId, span }: { traceId: string; span: OutlineSpan }) {
  const url = spanUrl(traceId, span);
  const { conversation } = useConversation(url, null);
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("messages");
  return (
    <>
      {conversation && (
        <div className="mb-3 flex">
          <SegmentedControl label="Format" options={FORMATS} value={format} onChange={setFormat} />
        </div>
      )}
      {conversation && format === "messages" ? (
        <ConversationView messages={conversation.messages} />
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

const None = () => <p className="text-muted">None provided.</p>;
