import type { SpanType } from "@whytrace/contract";

interface Node<Self> {
  /** Undefined for a root. */
  parent: Self | undefined;
}

interface Amounts<Span> {
  /** Null if no span says an amount. */
  total: number | null;
  /** What the children that a span repeats used. A span without such children is absent. */
  repeated: ReadonlyMap<Span, number>;
}

/**
 * What a trace used or cost. It is not the sum of all spans: parents repeat what their children used, and two
 * instrumentations may record the same call, one inside the other.
 *
 *   - A span used what it says or what the children that it repeats used, whichever is more, and what its other children used.
 *   - The trace used what its roots used.
 *
 * Each span has to come before its parent.
 */
export function sumAmounts<Span extends Node<Span>>(
  childrenFirst: Iterable<Span>,
  read: (span: Span) => { type: SpanType; amount: number | null | undefined },
): Amounts<Span> {
  const repeated = new Map<Span, number>();
  const others = new Map<Span, number>();
  let total: number | null = null;
  for (const span of childrenFirst) {
    const { type, amount } = read(span);
    const own = larger(amount ?? undefined, repeated.get(span));
    const other = others.get(span);
    if (own === undefined && other === undefined) continue;
    const used = (own ?? 0) + (other ?? 0);
    const { parent } = span;
    if (!parent) total = (total ?? 0) + used;
    else {
      const below = isRepeated(read(parent).type, type) ? repeated : others;
      below.set(parent, (below.get(parent) ?? 0) + used);
    }
  }
  return { total, repeated };
}

/** Whether a span's own amount includes that of a child. A model call includes only calls that repeat it, not its tools. */
export const isRepeated = (type: SpanType, childType: SpanType) =>
  type !== "LLM_CALL" || childType === "LLM_CALL";

const larger = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
