import type { OtlpSpan, OtlpValue } from "./decode/otlp-span.ts";

const ERROR_CODE = 2;

/**
 * Each span once. What a later version in the same request says wins, and what it leaves out stays, by the rules for spans
 * that come again in another request (trace-store/merge/span-versions.ts).
 */
export function uniqueSpans(sent: readonly OtlpSpan[]): OtlpSpan[] {
  const unique = new Map<string, OtlpSpan>();
  const attributesOf = new Map<string, Map<string, OtlpValue>>();
  for (const later of sent) {
    const former = unique.get(later.spanId);
    if (!former) {
      unique.set(later.spanId, later);
      continue;
    }
    // One map for all versions: to copy it for each would take time in proportion to the square of their number.
    const attributes = attributesOf.get(later.spanId) ?? new Map(former.attributes);
    for (const [key, value] of later.attributes) attributes.set(key, value);
    attributesOf.set(later.spanId, attributes);
    unique.set(later.spanId, {
      ...later,
      attributes,
      parentSpanId: later.parentSpanId ?? former.parentSpanId,
      name: later.name || former.name,
      startMs: later.startMs || former.startMs,
      endMs: later.endMs || former.endMs,
      statusCode: former.statusCode === ERROR_CODE ? ERROR_CODE : later.statusCode,
      statusMessage: later.statusMessage || former.statusMessage,
      events: later.events.length > 0 ? later.events : former.events,
      links: later.links.length > 0 ? later.links : former.links,
    });
  }
  return [...unique.values()];
}
