import type { DecisionPointType, SpanType } from "@whytrace/contract";

/** The colour of each type, as `--tint`. */
export const typeTint: Record<DecisionPointType | SpanType, string> = {
  TOOL_SELECTION: "[--tint:var(--color-tool)]",
  ROUTING: "[--tint:var(--color-agent)]",
  RETRY: "[--tint:var(--color-retry)]",
  ESCALATION: "[--tint:var(--color-escalation)]",
  MEMORY_RETRIEVAL: "[--tint:var(--color-memory)]",
  PLANNING: "[--tint:var(--color-llm)]",
  CUSTOM: "[--tint:var(--color-custom)]",
  LLM_CALL: "[--tint:var(--color-llm)]",
  TOOL_CALL: "[--tint:var(--color-tool)]",
  MEMORY_OP: "[--tint:var(--color-memory)]",
  CHAIN: "[--tint:var(--color-chain)]",
  AGENT: "[--tint:var(--color-agent)]",
};

/** `TOOL_SELECTION` as people say it. */
export const typeLabel = (type: string) => type.charAt(0) + type.slice(1).toLowerCase().replaceAll("_", " ");

export function TypeBadge({ type }: { type: DecisionPointType | SpanType }) {
  return (
    <span
      className={`tinted inline-flex whitespace-nowrap rounded-[5px] px-1.5 text-xs font-semibold ${typeTint[type]}`}
    >
      {typeLabel(type)}
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

/** A key to press; said in words elsewhere, so that a screen reader need not spell it. */
export function Kbd({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="rounded border border-line bg-bg px-1 text-[11px] text-muted">
      {children}
    </span>
  );
}
