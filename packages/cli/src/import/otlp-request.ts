import type { Attribute, ImportedSpan } from "./imported.ts";

/** Spans as a request of OpenTelemetry: the server then reads types, tokens and decisions as it does from live agents. */
export function otlpRequest(spans: ImportedSpan[]) {
  return {
    resourceSpans: [
      {
        scopeSpans: [
          {
            scope: { name: "whytrace-import" },
            spans: spans.map(({ error, startMs, endMs, attributes, events, ...span }) => ({
              ...span,
              startTimeUnixNano: nanoseconds(startMs),
              endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
              attributes: keyValues(attributes),
              events: events.map(({ timeMs, attributes: own, name }) => ({
                name,
                timeUnixNano: nanoseconds(timeMs),
                attributes: keyValues(own),
              })),
              ...(error !== undefined && { status: { code: 2, message: error } }),
            })),
          },
        ],
      },
    ],
  };
}

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const keyValues = (attributes: Record<string, Attribute>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: Attribute): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "string") return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
