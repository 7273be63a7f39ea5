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
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_TAG_BYTES, MAX_TAGS } from "../traces/parse-field.ts";
import { successSchema } from "./success.ts";
import { count } from "./values.ts";

/*
 * The schema of a batch, only for the API reference: `parseBatch` does the validation. A length here counts characters
 * where `parseBatch` counts bytes, so the schema is never stricter.
 */
interface RequestField {
  schema: z.ZodType;
  /** Appended to the field's description. */
  note?: string;
}

const FIELD_SCHEMAS: Readonly<Record<FieldType, RequestField>> = {
  id: { schema: z.string().min(1).max(MAX_ID_BYTES), note: "At most 1,024 bytes, without NUL characters" },
  reference: { schema: z.string().max(MAX_ID_BYTES).nullish() },
  name: { schema: z.string().min(1).max(MAX_NAME_BYTES), note: "At most 16 KiB" },
  text: { schema: z.string().nullish() },
  number: { schema: z.number().nullish() },
  probability: { schema: z.number().gt(0).max(1).nullish(), note: "Above 0 and at most 1" },
  instant: {
    schema: z.string(),
    note: "ISO 8601, years 0001 to 9999. The time is optional; without an offset it is UTC",
  },
  optionalInstant: { schema: z.string().nullish(), note: "ISO 8601" },
  tags: {
    schema: z.array(z.string().max(MAX_TAG_BYTES)).max(MAX_TAGS),
    note: "At most 1,000, each at most 1,024 bytes; may be empty",
  },
  json: { schema: z.unknown().optional() },
  jsonArray: { schema: z.array(z.unknown()) },
  payload: { schema: z.unknown().optional() },
};

function requestSchema<Table extends RecordTable>(
  { fields }: Table,
  descriptions: Readonly<Record<keyof Table["fields"] & string, string>>,
) {
  const described = Object.entries<string>(descriptions).map(([name, description]) => {
    const type = fields[name] ?? "payload";
    const { schema, note } = typeof type === "string" ? FIELD_SCHEMAS[type] : { schema: z.enum(type) };
    return [name, schema.describe(note ? `${description}. ${note}` : description)];
  });
  return z.object(Object.fromEntries(described));
}

const trace = requestSchema(TRACE, TRACE_DESCRIPTIONS).extend({
  spans: z.array(requestSchema(SPAN, SPAN_DESCRIPTIONS)),
  decisionPoints: z.array(requestSchema(DECISION_POINT, DECISION_POINT_DESCRIPTIONS)),
  events: z.array(requestSchema(EVENT, EVENT_DESCRIPTIONS)),
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

export const batch = z.object({ traces: z.array(trace).min(1) }).meta({ examples: [EXAMPLE] });

export const storedBatch = successSchema.extend({ count: count.describe("Traces stored or replaced") });
