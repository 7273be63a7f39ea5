import { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES, STATUSES } from "@whytrace/contract";
import { z } from "zod";

/*
 * What the trace endpoints answer. These describe the answers for the reference; the answers themselves are written
 * as text, payloads untouched, and a test holds one against the other.
 */
const instant = z.iso.datetime();
const amount = z.number().nullable();
const json = z.unknown().describe("Exactly as sent");

const traceFields = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  sessionId: z.string().nullable(),
  status: z.enum(STATUSES),
  tags: z.array(z.string()),
  totalCost: amount.describe("US dollars"),
  totalTokens: amount,
  totalDuration: amount.describe("Milliseconds"),
  startedAt: instant,
  endedAt: instant.nullable(),
  createdAt: instant,
});
const spanFields = z.object({
  id: z.string(),
  parentSpanId: z.string().nullable(),
  name: z.string(),
  type: z.enum(SPAN_TYPES),
  tokenCount: amount,
  costUsd: amount.describe("US dollars"),
  durationMs: amount.describe("Milliseconds"),
  status: z.enum(STATUSES),
  statusMessage: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
});
const decisionPointFields = z.object({
  id: z.string(),
  type: z.enum(DECISION_POINT_TYPES),
  reasoning: z.string().nullable(),
  chosen: json,
  alternatives: z.array(json),
  durationMs: amount.describe("Milliseconds"),
  costUsd: amount.describe("US dollars"),
  parentSpanId: z.string().nullable(),
  timestamp: instant,
});
const eventFields = z.object({
  id: z.string(),
  spanId: z.string().nullable(),
  type: z.enum(EVENT_TYPES),
  name: z.string(),
  timestamp: instant,
});

export const traceRow = traceFields.extend({
  metadata: json,
  _count: z.object({ decisionPoints: z.number().int(), spans: z.number().int(), events: z.number().int() }),
});
export const span = spanFields.extend({ input: json, output: json, metadata: json });
export const decisionPoint = decisionPointFields.extend({ contextSnapshot: json });
export const event = eventFields.extend({ metadata: json });
export const wholeTrace = traceFields.extend({
  metadata: json,
  spans: z.array(span),
  decisionPoints: z.array(decisionPoint),
  events: z.array(event),
});
export const outlinedTrace = traceFields.extend({
  spans: z.array(spanFields),
  decisionPoints: z.array(decisionPointFields),
  events: z.array(eventFields),
});
export const agentSession = z.object({
  sessionId: z.string(),
  traceCount: z.number().int(),
  totalCost: amount,
  totalTokens: amount,
  totalDuration: amount,
  firstStartedAt: instant,
  lastStartedAt: instant,
  status: z.enum(STATUSES).describe("ERROR if any trace failed, else RUNNING if any still runs"),
});

/** A page of a list. */
export const pageOf = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.object({
    [name]: z.array(item),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
    totalPages: z.number().int(),
  });
