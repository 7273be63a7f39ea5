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
} from "@whytrace/contract";
import { z } from "zod";
import type { SPAN_MODEL_FIELDS } from "../trace-store/model-columns.ts";
import { outlineFields } from "../trace-store/record-columns.ts";

/*
 * Response schemas of the trace endpoints, for the API reference. The endpoints write JSON text directly, so that payloads
 * stay unchanged; a test compares the responses with these schemas.
 */
const instant = z.iso.datetime();

const FIELD_SCHEMAS: Readonly<Record<FieldType, z.ZodType>> = {
  id: z.string(),
  reference: z.string().nullable(),
  name: z.string(),
  text: z.string().nullable(),
  number: z.number().nullable(),
  instant,
  optionalInstant: instant.nullable(),
  tags: z.array(z.string()),
  json: z.unknown(),
  jsonArray: z.array(z.unknown()),
  payload: z.unknown(),
};

/** The schema of a record with these fields. */
function recordSchema<Table extends RecordTable>(
  { fields }: Table,
  descriptions: Readonly<Record<keyof Table["fields"] & string, string>>,
  names: string[] = Object.keys(fields),
) {
  const described = Object.entries<string>(descriptions)
    .filter(([name]) => names.includes(name))
    .map(([name, description]) => {
      const type = fields[name] ?? "payload";
      const schema = typeof type === "string" ? FIELD_SCHEMAS[type] : z.enum(type);
      return [name, schema.describe(description)];
    });
  return z.object(Object.fromEntries(described));
}

const outlineSchema = <Table extends RecordTable>(
  table: Table,
  descriptions: Readonly<Record<keyof Table["fields"] & string, string>>,
) => recordSchema(table, descriptions, outlineFields(table.fields));

/** The fields of a trace that the server sets. */
const serverFields = { userId: z.string(), createdAt: instant.describe("When the trace was first received") };
const trace = recordSchema(TRACE, TRACE_DESCRIPTIONS).extend(serverFields);
const count = z.number().int();

const tokens = z.number().nullable();
/** What the server read or computed; the same fields as in the table of SPAN_MODEL_FIELDS. */
const spanModel: Record<(typeof SPAN_MODEL_FIELDS)[number], z.ZodType> = {
  model: z.string().nullable().describe("The model that the span called, if it says so"),
  inputTokens: tokens.describe("Tokens of input, including those that were read from or written to a cache"),
  cacheReadTokens: tokens.describe("Of the input, tokens that were read from a cache"),
  cacheWriteTokens: tokens.describe("Of the input, tokens that were written to a cache"),
  outputTokens: tokens.describe("Tokens of output, including reasoning"),
  reasoningTokens: tokens.describe("Of the output, tokens of reasoning"),
  priceSource: z
    .string()
    .nullable()
    .describe(
      "Where costUsd comes from, if the span called a model: `sent`, `rule:` and the model of your price rule, or the " +
        "provider and model of the price list. Null if the cost is unknown",
    ),
};
export const span = recordSchema(SPAN, SPAN_DESCRIPTIONS).extend(spanModel);
const inference = {
  inferred: z
    .boolean()
    .describe("True if nobody wrote the decision down: it was read from what an instrumentation sent"),
  alternativesKnown: z
    .boolean()
    .describe("False if the instrumentation does not say what else could have been chosen"),
};
export const decisionPoint = recordSchema(DECISION_POINT, DECISION_POINT_DESCRIPTIONS).extend(inference);
export const event = recordSchema(EVENT, EVENT_DESCRIPTIONS);
export const traceRow = trace.extend({
  _count: z.object({ decisionPoints: count, spans: count, events: count }),
  models: z
    .array(z.string())
    .optional()
    .describe("The models that its spans called; only with include=models"),
});
const traceModels = {
  models: z.array(z.string()).describe("The models that its spans called"),
  isCostDerived: z.boolean().describe("True if totalCost was not sent but follows from the costs of spans"),
};
export const wholeTrace = trace.extend(traceModels).extend({
  spans: z.array(span),
  decisionPoints: z.array(decisionPoint),
  events: z.array(event),
});
export const outlinedTrace = outlineSchema(TRACE, TRACE_DESCRIPTIONS)
  .extend(serverFields)
  .extend(traceModels)
  .extend({
    spans: z.array(outlineSchema(SPAN, SPAN_DESCRIPTIONS).extend(spanModel)),
    decisionPoints: z.array(outlineSchema(DECISION_POINT, DECISION_POINT_DESCRIPTIONS).extend(inference)),
    events: z.array(outlineSchema(EVENT, EVENT_DESCRIPTIONS)),
  });
