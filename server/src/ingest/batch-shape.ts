import { PLAIN, RAW, type Shape } from "./scan-json.ts";

const record = (plain: string[], raw: string[], lists: Record<string, Shape> = {}): Shape => ({
  record: new Map<string, Shape>([
    ...plain.map((field) => [field, PLAIN] as const),
    ...raw.map((field) => [field, RAW] as const),
    ...Object.entries(lists),
  ]),
});

const span = record(
  [
    "id",
    "parentSpanId",
    "name",
    "type",
    "tokenCount",
    "costUsd",
    "durationMs",
    "status",
    "statusMessage",
    "startedAt",
    "endedAt",
  ],
  ["input", "output", "metadata"],
);
const decisionPoint = record(
  ["id", "type", "reasoning", "durationMs", "costUsd", "parentSpanId", "timestamp"],
  ["chosen", "alternatives", "contextSnapshot"],
);
const event = record(["id", "spanId", "type", "name", "timestamp"], ["metadata"]);
const trace = record(
  [
    "id",
    "name",
    "sessionId",
    "status",
    "tags",
    "totalCost",
    "totalTokens",
    "totalDuration",
    "startedAt",
    "endedAt",
  ],
  ["metadata"],
  { spans: { list: span }, decisionPoints: { list: decisionPoint }, events: { list: event } },
);

/** What of a request body is looked at; the rest is payload and stays as it was sent. */
export const BATCH_SHAPE: Shape = record([], [], { traces: { list: trace } });
