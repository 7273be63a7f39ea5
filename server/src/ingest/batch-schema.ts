import {
  DECISION_POINT_TYPES,
  EVENT_TYPES,
  ID_MAX_BYTES,
  NAME_MAX_BYTES,
  SPAN_TYPES,
  STATUSES,
  TAG_MAX_BYTES,
  TAGS_MAX,
} from "@whytrace/contract";
import { z } from "zod";

/*
 * A batch as the reference describes it. It is checked by hand, in `parseBatch`; nothing is ever checked against
 * this. A length here counts characters where the check counts bytes, so it is never stricter than the check.
 */
const id = z.string().min(1).max(ID_MAX_BYTES).describe("At most 1,024 bytes, without NUL");
const reference = (description: string) => z.string().max(ID_MAX_BYTES).nullish().describe(description);
const name = z.string().min(1).max(NAME_MAX_BYTES).describe("At most 16 KiB");
const text = (description: string) => z.string().nullish().describe(description);
const amount = (description: string) => z.number().nullish().describe(description);
const json = (description = "Given back exactly as sent") => z.unknown().optional().describe(description);
const instant = z
  .string()
  .describe("ISO 8601, years 0001 to 9999; the time may be left out, and without an offset it is UTC");
const end = instant.nullish().describe("ISO 8601; null or absent while it runs");

const span = z.object({
  id: id.describe("Unique among the trace's spans. At most 1,024 bytes, without NUL"),
  parentSpanId: reference("The span this one is nested in; it need not be in the batch"),
  name,
  type: z.enum(SPAN_TYPES),
  input: json(),
  output: json(),
  tokenCount: amount("Tokens"),
  costUsd: amount("US dollars"),
  durationMs: amount("Milliseconds"),
  status: z.enum(STATUSES),
  statusMessage: text("What went wrong, or how it stands"),
  startedAt: instant,
  endedAt: end,
  metadata: json(),
});

const decisionPoint = z.object({
  id: id.describe("Unique among the trace's decision points. At most 1,024 bytes, without NUL"),
  type: z.enum(DECISION_POINT_TYPES),
  reasoning: text("Why it was chosen"),
  chosen: json("What was chosen, null when absent; given back exactly as sent"),
  alternatives: z
    .array(z.unknown())
    .describe("What else there was to choose from: any JSON each, possibly none"),
  contextSnapshot: json("What was known at the time; given back exactly as sent"),
  durationMs: amount("Milliseconds"),
  costUsd: amount("US dollars"),
  parentSpanId: reference("The span it was made in; becomes null unless that span is in the same trace"),
  timestamp: instant,
});

const event = z.object({
  id: id.describe("Unique among the trace's events. At most 1,024 bytes, without NUL"),
  spanId: reference("The span it happened in"),
  type: z.enum(EVENT_TYPES),
  name,
  metadata: json(),
  timestamp: instant,
});

const trace = z.object({
  id: id.describe(
    "Yours to choose, a UUID as a rule. The same id again replaces the trace. At most 1,024 bytes, without NUL",
  ),
  name,
  sessionId: reference("Traces with the same one belong to one session of the agent"),
  status: z.enum(STATUSES),
  tags: z
    .array(z.string().max(TAG_MAX_BYTES))
    .max(TAGS_MAX)
    .describe("At most 1,000, each at most 1,024 bytes; possibly none"),
  metadata: json(),
  totalCost: amount("US dollars"),
  totalTokens: amount("Tokens"),
  totalDuration: amount("Milliseconds"),
  startedAt: instant,
  endedAt: end,
  spans: z.array(span),
  decisionPoints: z.array(decisionPoint),
  events: z.array(event),
});

const EXAMPLE = {
  traces: [
    {
      id: "5b2c7f0e-6a4d-4f0b-9d3e-0c1a2b3c4d5e",
      name: "answer a support mail",
      status: "COMPLETED",
      tags: ["support"],
      startedAt: "2026-03-01T09:30:00Z",
      endedAt: "2026-03-01T09:30:04Z",
      spans: [],
      decisionPoints: [
        {
          id: "d1",
          type: "TOOL_SELECTION",
          reasoning: "The order number is in the mail",
          chosen: "look up the order",
          alternatives: ["ask the customer"],
          timestamp: "2026-03-01T09:30:01Z",
        },
      ],
      events: [],
    },
  ],
};

export const describedBatch = z.object({ traces: z.array(trace).min(1) }).meta({ examples: [EXAMPLE] });
