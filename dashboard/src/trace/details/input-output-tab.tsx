import { useState } from "react";
import { SegmentedControl } from "../../ui/segmented-control.tsx";
import type { OutlineSpan } from "../model/outline.ts";
import { ConversationView } from "../payload/conversation-view.tsx";
import { JsonViewer } from "../payload/json-viewer.tsx";
import { spanUrl } from "../payload/payload-client.ts";
import { useConversation } from "../payload/use-conversation.ts";
import { Heading } from "./facts.tsx";

const READINGS = ["messages", "JSON"] as const;

/** What went in and what came out: as a conversation where it is one, and as it was sent. */
export function InputOutputTab({ traceId, span }: { traceId: string; span: OutlineSpan }) {
  const url = spanUrl(traceId, span);
  const { conversation } = useConversation(url, null);
  const [reading, setReading] = useState<(typeof READINGS)[number]>("messages");
  return (
    <>
      {conversation && (
        <div className="mb-3 flex">
          <SegmentedControl label="Shown as" options={READINGS} value={reading} onChange={setReading} />
        </div>
      )}
      {conversation && reading === "messages" ? (
        <ConversationView messages={conversation.messages} />
      ) : (
        <div className="[&>h3:first-child]:mt-0">
          <Heading>Input</Heading>
          <JsonViewer label="Input" url={url} pick="input" empty={<Nothing />} />
          <Heading>Output</Heading>
          <JsonViewer label="Output" url={url} pick="output" empty={<Nothing />} />
        </div>
      )}
      <Heading>Metadata</Heading>
      <JsonViewer label="Metadata" url={url} pick="metadata" empty={<Nothing />} />
    </>
  );
}

const Nothing = () => <p className="text-muted">None was sent.</p>;
