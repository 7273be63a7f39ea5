import type { DecisionPointType, SpanType } from "@whytrace/contract";
import { tintedStyle } from "./tinted-style.ts";

/** `TOOL_SELECTION` → `Tool selection`, `LLM_CALL` → `LLM call`. */
export const typeLabel = (type: string) =>
  (type.charAt(0) + type.slice(1).toLowerCase()).replaceAll("_", " ").replace(/^Llm\b/, "LLM");

export function TypeBadge({ type }: { type: DecisionPointType | SpanType }) {
  return (
    <span
      className="tinted inline-flex whitespace-nowrap rounded-[5px] px-1.5 text-xs font-semibold"
      style={tintedStyle(type)}
    >
      {typeLabel(type)}
    </span>
  );
}

/** Marks a decision that nobody wrote down. */
export function InferredBadge() {
  return (
    <span
      title="Read from what the instrumentation sent: nobody wrote this decision down"
      className="inline-flex whitespace-nowrap rounded-[5px] border border-dashed border-line px-1.5 text-xs leading-5 text-muted"
    >
      inferred
    </span>
  );
}

export function Tag({ children }: { children: string }) {
  return (
    <span
      title={children}
      className="inline-block max-w-40 truncate rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted"
    >
      {children}
    </span>
  );
}

/** A keyboard key. Hidden from screen readers; the caller names the shortcut in text. */
export function Kbd({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="rounded border border-line bg-bg px-1 text-[11px] text-muted">
      {children}
    </span>
  );
}
