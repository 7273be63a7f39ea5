import type { Message, MessagePart } from "./message.ts";

const TINTS: Record<string, string> = {
  system: "[--tint:var(--color-custom)]",
  developer: "[--tint:var(--color-custom)]",
  user: "[--tint:var(--color-agent)]",
  assistant: "[--tint:var(--color-llm)]",
  tool: "[--tint:var(--color-tool)]",
};
const LONG = 1_200;

/** Turns of a conversation, one under the other. */
export function ConversationView({ messages }: { messages: Message[] }) {
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {messages.map((message, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
          key={index}
          className={`rounded-r-md border-l-[3px] border-[var(--tint)] bg-panel px-3 py-2 ${TINTS[message.role] ?? TINTS.system}`}
        >
          <div className="mb-1 text-xs font-semibold capitalize text-[var(--tint)]">{message.role}</div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {message.parts.map((part, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              <Part key={place} part={part} />
            ))}
            {message.parts.length === 0 && <span className="text-muted">(empty)</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Part({ part }: { part: MessagePart }) {
  if (part.kind === "text") return <Text text={part.text} />;
  if (part.kind === "reasoning")
    return (
      <details>
        <summary className="text-xs text-muted">Thinking</summary>
        <Text text={part.text} className="italic text-muted" />
      </details>
    );
  if (part.kind === "media")
    return (
      <p className="text-muted">
        [{part.name}] {part.text}
      </p>
    );
  const words = { call: "calls", result: part.isError ? "failed" : "gives", data: "" }[part.kind];
  return (
    <div className="rounded border border-line bg-bg px-2 py-1.5">
      {part.kind !== "data" && (
        <div className={`text-xs font-medium ${part.isError ? "text-error" : ""}`}>
          <span className="text-muted">{words} </span>
          <span className="font-mono">{part.name ?? "a tool"}</span>
        </div>
      )}
      {part.text && <Text text={part.text} className="font-mono text-xs" />}
    </div>
  );
}

/** A long text is folded, but it is all there to be found and copied. */
function Text({ text, className = "" }: { text: string; className?: string }) {
  if (text.length <= LONG) return <p className={`whitespace-pre-wrap break-words ${className}`}>{text}</p>;
  return (
    <details className="group">
      <summary className={`whitespace-pre-wrap break-words list-none ${className}`}>
        <span className="group-open:hidden">
          {text.slice(0, LONG / 2)}… <span className="font-sans text-accent">show all</span>
        </span>
        <span className="hidden font-sans text-accent group-open:inline">show less</span>
      </summary>
      <p className={`whitespace-pre-wrap break-words ${className}`}>{text}</p>
    </details>
  );
}
