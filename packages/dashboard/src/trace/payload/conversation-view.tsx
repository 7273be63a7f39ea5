import type { SearchField } from "@whytrace/contract";
import { MaskedText } from "../masked/masked-text.tsx";
import { MarkedText } from "./marked-text.tsx";
import type { MessagePart } from "./message.ts";
import type { Conversation } from "./payload-protocol.ts";

const TINTS: Record<string, string> = {
  system: "[--tint:var(--color-custom)]",
  developer: "[--tint:var(--color-custom)]",
  user: "[--tint:var(--color-agent)]",
  assistant: "[--tint:var(--color-llm)]",
  model: "[--tint:var(--color-llm)]",
  tool: "[--tint:var(--color-tool)]",
};
const MAX_TEXT_LENGTH = 1_200;

/** The messages of a conversation. */
export function ConversationView({ conversation }: { conversation: Conversation }) {
  const { messages, outputCount } = conversation;
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {messages.map((message, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ID
          key={index}
          className={`rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-2 ${TINTS[message.role] ?? TINTS.system}`}
        >
          <div className="mb-1 text-xs font-semibold capitalize text-[var(--tint)]">{message.role}</div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {message.parts.map((part, partIndex) => (
              <Part
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ID
                key={partIndex}
                part={part}
                field={index >= messages.length - outputCount ? "output" : "input"}
              />
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Part({ part, field }: { part: MessagePart; field: SearchField }) {
  if (part.kind === "text") return <Text text={part.text} field={field} />;
  if (part.kind === "reasoning")
    return (
      <details>
        <summary className="text-xs text-muted">Reasoning</summary>
        <Text text={part.text} field={field} className="italic text-muted" />
      </details>
    );
  if (part.kind === "media")
    return (
      <p className="text-muted">
        [{part.name}] <MarkedText text={part.text} field={field} />
      </p>
    );
  const label = { call: "Call", result: part.isError ? "Error from" : "Result of", data: "" }[part.kind];
  return (
    <div className="rounded border border-line bg-bg px-2 py-1.5">
      {part.kind !== "data" && (
        <div className={`text-xs font-medium ${part.isError ? "text-error" : ""}`}>
          <span className="text-muted">{label} </span>
          <span className="font-mono">
            <MarkedText text={part.name ?? "tool"} field={field} />
          </span>
        </div>
      )}
      {part.text && <Text text={part.text} field={field} className="font-mono text-xs" />}
    </div>
  );
}

/** Collapses a long text. The whole text stays in the document, so that the browser's search finds it. */
function Text({ text, field, className = "" }: { text: string; field: SearchField; className?: string }) {
  const whole = (
    <p className={`whitespace-pre-wrap break-words ${className}`}>
      <MarkedText text={text} field={field} />
    </p>
  );
  if (text.length <= MAX_TEXT_LENGTH) return whole;
  return (
    <details className="group">
      <summary className={`whitespace-pre-wrap break-words list-none ${className}`}>
        <span className="group-open:hidden">
          <MaskedText text={text.slice(0, MAX_TEXT_LENGTH / 2)} />…{" "}
          <span className="font-sans text-accent">Show more</span>
        </span>
        <span className="hidden font-sans text-accent group-open:inline">Show less</span>
      </summary>
      {whole}
    </details>
  );
}
