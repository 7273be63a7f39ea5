import type { OtlpSpan } from "./decode/otlp-span.ts";

const NOTHING = { attributes: new Map(), events: [], links: [], traceState: "" };

/** The first root of each trace that was not stored, with what ends the trace: its name, times and status. */
export function bareRoots(spans: readonly OtlpSpan[], isStored: (traceId: string) => boolean): OtlpSpan[] {
  const roots = new Map<string, OtlpSpan>();
  for (const span of spans)
    if (span.parentSpanId === null && !roots.has(span.traceId) && !isStored(span.traceId))
      roots.set(span.traceId, { ...span, ...NOTHING });
  return [...roots.values()];
}
