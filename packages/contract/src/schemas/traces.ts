import { z } from "zod";
import {
  DECISION_POINT,
  DECISION_POINT_DESCRIPTIONS,
  EVENT,
  EVENT_DESCRIPTIONS,
  type FieldType,
  type RecordTable,
  SPAN,
  SPAN_DESCRIPTIONS,
  TRACE,
  TRACE_DESCRIPTIONS,
} from "../traces/fields.ts";
import { MAX_FILTER_VALUES } from "../traces/filter-values.ts";
import { RUN_OUTCOMES } from "../traces/run-outcomes.ts";
import { cursorInfo, pageInfo } from "./page.ts";
import { count, instant } from "./values.ts";

/*
 * Traces and their children in responses. The server writes JSON text directly, so that payloads stay unchanged; a test
 * compares the responses with these schemas.
 */

/** The schema of each field type in a response. */
const FIELD_SCHEMAS = {
  id: z.string(),
  reference: z.string().nullable(),
  name: z.string(),
  text: z.string().nullable(),
  number: z.number().nullable(),
  probability: z.number().nullable(),
  instant,
  optionalInstant: instant.nullable(),
  tags: z.array(z.string()),
  json: z.unknown(),
  jsonArray: z.array(z.unknown()),
  payload: z.unknown(),
} satisfies Record<FieldType, z.ZodType>;

/** The schemas of a record's fields. An enum holds one of its values. */
type RecordShape<Table extends RecordTable> = {
  -readonly [Name in keyof Table["fields"]]: Table["fields"][Name] extends FieldType
    ? (typeof FIELD_SCHEMAS)[Table["fields"][Name]]
    : Table["fields"][Name] extends readonly (infer Value extends string)[]
      ? z.ZodEnum<{ [Name in Value]: Name }>
      : never;
};

/** The schema of a record with the fields of its table. */
function recordSchema<Table extends RecordTable>(
  { fields }: Table,
  descriptions: Readonly<Record<keyof Table["fields"] & string, string>>,
) {
  const schemas = Object.entries<string>(descriptions).map(([name, description]): [string, z.ZodType] => {
    const type = fields[name] ?? "payload";
    const schema = typeof type === "string" ? FIELD_SCHEMAS[type] : z.enum(type);
    return [name, schema.describe(description)];
  });
  // Each field of the table has the schema of its type, which TypeScript cannot infer.
  return z.object(Object.fromEntries(schemas) as RecordShape<Table>);
}

/* Records as they are sent, without the fields that the server adds. */
const sentTrace = recordSchema(TRACE, TRACE_DESCRIPTIONS);
const sentSpan = recordSchema(SPAN, SPAN_DESCRIPTIONS);
const sentDecisionPoint = recordSchema(DECISION_POINT, DECISION_POINT_DESCRIPTIONS);

const tokens = z.number().nullable();
/** The model that a span called, and the tokens that the call used. Null means unknown. */
const modelUsage = z.object({
  /** The model that answered, or else the one that was asked for. */
  model: z.string().nullable().describe("The model that the span called, if it says so"),
  inputTokens: tokens.describe("Tokens of input, including those that were read from or written to a cache"),
  cacheReadTokens: tokens.describe("Of the input, tokens that were read from a cache"),
  cacheWriteTokens: tokens.describe("Of the input, tokens that were written to a cache"),
  outputTokens: tokens.describe("Tokens of output, including reasoning"),
  reasoningTokens: tokens.describe("Of the output, tokens of reasoning"),
});

export const span = sentSpan.extend(modelUsage.shape).extend({
  priceSource: z
    .string()
    .nullable()
    .describe(
      "Where costUsd comes from, if the span called a model: `sent`, `rule:` and the model of your price rule, or the " +
        "provider and model of the price list. Null if the cost is unknown",
    ),
});
export const decisionPoint = sentDecisionPoint.extend({
  inferred: z
    .boolean()
    .describe("True if nobody wrote the decision down: it was read from what an instrumentation sent"),
  alternativesKnown: z
    .boolean()
    .describe("False if the instrumentation does not say what else could have been chosen"),
});
export const event = recordSchema(EVENT, EVENT_DESCRIPTIONS);

const storedTrace = sentTrace.extend({
  userId: z.string(),
  createdAt: instant.describe("When the trace was first received"),
});

/** A trace in a list. */
const traceRow = storedTrace.omit({ sampleProbability: true }).extend({
  _count: z.object({ decisionPoints: count, spans: count, events: count }),
  models: z
    .array(z.string())
    .optional()
    .describe("The models that its spans called; only with include=models"),
  outcome: z.enum(RUN_OUTCOMES).optional().describe("Only with include=outcome"),
  scoreCount: count.optional().describe("How many scores it has; only with include=outcome"),
});
const tracePage = z.object({ traces: z.array(traceRow), ...pageInfo.shape });
export const traceList = z.union([tracePage, z.object({ traces: z.array(traceRow), ...cursorInfo.shape })]);

/** A trace with all its children. */
export const wholeTrace = storedTrace.extend({
  models: z.array(z.string()).describe("The models that its spans called"),
  isCostDerived: z.boolean().describe("True if totalCost was not sent but follows from the costs of spans"),
  spans: z.array(span),
  decisionPoints: z.array(decisionPoint),
  events: z.array(event),
});

const outlineSpan = span.omit({ input: true, output: true, metadata: true });
const outlineDecision = decisionPoint.omit({ contextSnapshot: true });
const outlineEvent = event.omit({ metadata: true });
/** A trace without its payloads, which can be megabytes long. */
export const outline = wholeTrace.omit({ metadata: true }).extend({
  spans: z.array(outlineSpan),
  decisionPoints: z.array(outlineDecision),
  events: z.array(outlineEvent),
});
/** What the reader of a link gets. */
export const sharedTrace = wholeTrace.omit({ userId: true });
export const sharedOutline = outline.omit({ userId: true });

/** A line of text for the row of a trace. What is not wanted or not known is null. */
const tracePreview = z.object({
  id: z.string(),
  error: z
    .object({ name: z.string(), message: z.string().nullable() })
    .nullable()
    .describe("The failed span that started last, or else the last event of the type ERROR"),
  input: z.string().nullable().describe("What the trace was asked: the first message of the user"),
  output: z.string().nullable().describe("What the trace answered"),
});
export const tracePreviews = z.object({
  previews: z.array(tracePreview).describe("In the order of the ids"),
});

/** Values that a filter of traces can have. */
export const filterValues = z.object({ values: z.array(z.string()).max(MAX_FILTER_VALUES) });

/** Any JSON, exactly as sent. */
export type Json = unknown;
export type ModelUsage = z.infer<typeof modelUsage>;
export type Span = z.infer<typeof span>;
export type DecisionPoint = z.infer<typeof decisionPoint>;
export type TraceEvent = z.infer<typeof event>;
export type TraceRow = z.infer<typeof traceRow>;
export type WholeTrace = z.infer<typeof wholeTrace>;
export type Outline = z.infer<typeof outline>;
export type SharedTrace = z.infer<typeof sharedTrace>;
export type SharedOutline = z.infer<typeof sharedOutline>;
export type OutlineSpan = z.infer<typeof outlineSpan>;
export type OutlineDecision = z.infer<typeof outlineDecision>;
export type OutlineEvent = z.infer<typeof outlineEvent>;
export type TracePreview = z.infer<typeof tracePreview>;

/** A trace as it is sent, without the fields that the server adds. */
export type SentTrace = z.infer<typeof sentTrace> & {
  spans: z.infer<typeof sentSpan>[];
  decisionPoints: z.infer<typeof sentDecisionPoint>[];
  events: TraceEvent[];
};
