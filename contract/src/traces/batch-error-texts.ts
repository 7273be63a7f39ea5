import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "./fields.ts";
import { ID_MAX_BYTES, NAME_MAX_BYTES, requiredText, TAG_MAX_BYTES, TAGS_MAX } from "./parse-field.ts";

/** Every text that `parseBatch` may refuse a batch with, in the order of its checks; `<…>` stands for what varies. */
export function batchErrorTexts(): string[] {
  return [
    "Request body must contain a 'traces' array",
    "Traces array cannot be empty",
    ...requiredTexts(TRACE),
    "Trace decisionPoints must be an array",
    "Trace spans must be an array",
    "Trace events must be an array",
    `Invalid trace tags: must be at most ${TAGS_MAX}`,
    "Invalid trace tags: each must be a string",
    `Invalid trace tags: each must have at most ${TAG_MAX_BYTES} bytes`,
    ...[DECISION_POINT, SPAN, EVENT].flatMap(requiredTexts),
    `Invalid <record> <field>: must have at most ${ID_MAX_BYTES} bytes`,
    "Invalid <record> <field>: must not contain NUL or a lone surrogate",
    `Invalid <record> name: must have at most ${NAME_MAX_BYTES} bytes`,
    "Invalid <record> <field>: must be a string or null",
    "Invalid <record> <field>: must be a finite number that a double can hold, or null",
    "Invalid <record> endedAt: must be an ISO date string or null",
  ];
}

function requiredTexts({ label, required, fields }: RecordTable) {
  return required.flatMap((name) => {
    const type = fields[name];
    return type === undefined ? [] : [requiredText(type, { label, name }, "<value>")];
  });
}
