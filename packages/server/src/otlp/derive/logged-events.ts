import { hash } from "node:crypto";
import { MAX_NAME_BYTES, type ParsedEvent } from "@whytrace/contract";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import type { LogFacts } from "../map/span-facts.ts";
import { storableMs } from "../map/span-times.ts";

const HASH_DIGITS = 12;

/** The events that log records tell of these spans and of the run, in the order of their time. An event that came twice is one. */
export function loggedEvents(logs: Iterable<LogFacts>, isKnown: (spanId: string) => boolean): ParsedEvent[] {
  const events = new Map<string, ParsedEvent>();
  for (const { spanId, timeMs, event } of logs) {
    if (!event || (spanId !== null && !isKnown(spanId))) continue;
    const digest = hash("sha1", JSON.stringify([timeMs, event])).slice(0, HASH_DIGITS);
    const id = `${spanId ?? "run"}-log-${digest}`;
    events.set(id, {
      id,
      spanId,
      type: "CUSTOM",
      name: storableText(event.name, MAX_NAME_BYTES),
      metadata: event.metadata,
      timestamp: storableMs(timeMs),
    });
  }
  return [...events.values()].sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
}
