/*
 * Builds bodies of POST /api/traces that no client library would send. They are written as JSON text, because
 * JSON.stringify cannot produce most of their errors.
 */
export type Kind = "trace" | "span" | "decisionPoint" | "event";
export type Field = readonly [kind: Kind, field: string];

const of = (kind: Kind, ...fields: string[]): Field[] => fields.map((field) => [kind, field]);

export const IDS: Field[] = [
  ...of("trace", "id", "sessionId"),
  ...of("span", "id", "parentSpanId"),
  ...of("decisionPoint", "id", "parentSpanId"),
  ...of("event", "id", "spanId"),
];
export const TEXTS: Field[] = [
  ...of("trace", "name", "tags"),
  ...of("span", "name", "statusMessage"),
  ...of("decisionPoint", "reasoning"),
  ...of("event", "name"),
];
export const ENUMS: Field[] = [
  ...of("trace", "status"),
  ...of("span", "type", "status"),
  ...of("decisionPoint", "type"),
  ...of("event", "type"),
];
export const DATES: Field[] = [
  ...of("trace", "startedAt", "endedAt"),
  ...of("span", "startedAt", "endedAt"),
  ...of("decisionPoint", "timestamp"),
  ...of("event", "timestamp"),
];
export const NUMBERS: Field[] = [
  ...of("trace", "totalCost", "totalTokens", "totalDuration"),
  ...of("span", "tokenCount", "costUsd", "durationMs"),
  ...of("decisionPoint", "durationMs", "costUsd"),
];
export const PAYLOADS: Field[] = [
  ...of("trace", "metadata"),
  ...of("span", "input", "output", "metadata"),
  ...of("decisionPoint", "chosen", "alternatives", "contextSnapshot"),
  ...of("event", "metadata"),
];

const AT = '"2026-01-01T00:00:00Z"';
const RECORDS: Record<Kind, Record<string, string>> = {
  trace: { name: '"t"', status: '"ERROR"', startedAt: AT, tags: "[]" },
  span: { id: '"s"', name: '"s"', type: '"LLM_CALL"', status: '"ERROR"', startedAt: AT },
  decisionPoint: { id: '"d"', type: '"ROUTING"', alternatives: "[]", timestamp: AT },
  event: { id: '"e"', type: '"CUSTOM"', name: '"e"', timestamp: AT },
};

const record = (fields: Record<string, string>) =>
  `{${Object.entries(fields)
    .map(([field, text]) => `"${field}":${text}`)
    .join(",")}}`;

/** A batch of one valid trace with a child of each kind, except that one field of one record is `text`. */
export function batchWith(id: string, [kind, field]: Field, text: string): string {
  const fieldsOf = (one: Kind) => ({ ...RECORDS[one], ...(one === kind && { [field]: text }) });
  const trace = record({
    id: JSON.stringify(id),
    ...fieldsOf("trace"),
    spans: `[${record(fieldsOf("span"))}]`,
    decisionPoints: `[${record(fieldsOf("decisionPoint"))}]`,
    events: `[${record(fieldsOf("event"))}]`,
  });
  return `{"traces":[${trace}]}`;
}

/** A batch of tiny traces with distinct ids. */
export const tinyTraces = (prefix: string, count: number) =>
  `{"traces":[${Array.from(
    { length: count },
    (_, i) =>
      `{"id":"${prefix}${i}","name":"n","startedAt":"2026-01-01","status":"ERROR","tags":[],"decisionPoints":[],"spans":[],"events":[]}`,
  ).join(",")}]}`;

/** One trace with many tiny children of one kind. */
export function tinyChildren(id: string, kind: Exclude<Kind, "trace">, count: number): string {
  const children = Array.from({ length: count }, (_, i) => record({ ...RECORDS[kind], id: `"${i}"` }));
  const lists = { spans: "[]", decisionPoints: "[]", events: "[]", [`${kind}s`]: `[${children.join(",")}]` };
  return `{"traces":[${record({ id: JSON.stringify(id), ...RECORDS.trace, ...lists })}]}`;
}
