import { expect, it } from "vitest";
import { SpanReading } from "../conventions/read-attributes.ts";
import type { OtlpSpan, OtlpValue } from "../decode/otlp-span.ts";
import { spanEvents } from "./span-events.ts";

const spanWith = (name: string, attributes: Record<string, OtlpValue>): OtlpSpan => ({
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  parentSpanId: null,
  traceState: "",
  name: "span",
  startMs: 0,
  endMs: 10,
  attributes: new Map(),
  events: [{ name, timeMs: 5, attributes: new Map(Object.entries(attributes)) }],
  statusCode: 0,
  statusMessage: "",
  droppedAttributes: 0,
  links: [],
  scope: { name: "", version: "" },
  resource: new Map(),
});
const eventOf = (name: string, attributes: Record<string, OtlpValue>) =>
  spanEvents(spanWith(name, attributes), "CUSTOM", new SpanReading()).events[0];

it("has the type that the application wrote, if it is one of the known", () => {
  expect(eventOf("again", { "whytrace.event.type": "RETRY" })).toMatchObject({
    type: "RETRY",
    metadata: null,
  });
  expect(eventOf("again", { "whytrace.event.type": "NONSENSE" })).toMatchObject({ type: "CUSTOM" });
  expect(eventOf("again", { "whytrace.event.type": "NONSENSE" })?.metadata).not.toBeNull();
  expect(eventOf("again", {})).toMatchObject({ type: "CUSTOM" });
  expect(eventOf("exception", { "exception.type": "Timeout" })).toMatchObject({
    type: "ERROR",
    name: "Timeout",
  });
});
