import { useState } from "react";
import { Segmented } from "../ui/segmented.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { Heading } from "./facts.tsx";
import { JsonViewer } from "./json-viewer.tsx";
import type { OutlineSpan } from "./outline.ts";
import { spanUrl } from "./payload-client.ts";
import { useConversation } from "./use-conversation.ts";

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
          <Segmented label="Shown as" options={READINGS} value={reading} onChange={setReading} />
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
