import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "./fields.ts";
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_TAG_BYTES, MAX_TAGS, requiredText } from "./parse-field.ts";
import { MAX_TRACE_RECORDS } from "./trace-limits.ts";

/** All error texts of `parseBatch` in the order of its checks, for the API reference; `<…>` marks a variable part. */
export function batchErrorTexts(): string[] {
  return [
    "Request body must contain a 'traces' array",
    "Traces array cannot be empty",
    ...requiredTexts(TRACE),
    "Trace decisionPoints must be an array",
    "Trace spans must be an array",
    "Trace events must be an array",
    `Invalid trace <decisionPoints, spans or events>: must be at most ${MAX_TRACE_RECORDS}, trace <id> has <count>`,
    `Invalid trace tags: must be at most ${MAX_TAGS}`,
    "Invalid trace tags: each must be a string",
    `Invalid trace tags: each must have at most ${MAX_TAG_BYTES} bytes`,
    ...[DECISION_POINT, SPAN, EVENT].flatMap(requiredTexts),
    `Invalid <record> <field>: must have at most ${MAX_ID_BYTES} bytes`,
    "Invalid <record> <field>: must not contain NUL or a lone surrogate",
    `Invalid <record> name: must have at most ${MAX_NAME_BYTES} bytes`,
    "Invalid <record> <field>: must be a string or null",
    "Invalid <record> <field>: must be a finite number that a double can hold, or null",
    "Invalid <record> <field>: must be a number above 0 and at most 1, or null",
    "Invalid <record> endedAt: must be an ISO date string or null",
  ];
}

function requiredTexts({ label, required, fields }: RecordTable) {
  return required.flatMap((name) => {
    const type = fields[name];
    return type === undefined ? [] : [requiredText(type, { label, name }, "<value>")];
  });
}
