import type { JsonSchema } from "../../../packages/server/src/reference/document.ts";

/** Where a field is in a value: names of properties, and 0 for the first item of a list. */
type FieldPath = readonly (string | number)[];

/**
 * A valid value of a JSON Schema: its first example or the smallest value, with required properties, known ones and those that contain
 * others, so that every field has its place. `known` gives values that a schema cannot tell, by the name of the property.
 */
export function exampleOf(schema: JsonSchema, known: Readonly<Record<string, unknown>>, name = ""): unknown {
  if (name in known) return known[name];
  const { examples, enum: allowed, default: preset, properties, required = [], items } = variantOf(schema);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([field, inner]) => required.includes(field) || field in known || isStructure(inner))
        .map(([field, inner]) => [field, exampleOf(inner, known, field)]),
    );
  if (examples?.length) return examples[0];
  if (allowed?.length) return allowed[0];
  if (preset !== undefined) return preset;
  if (items) return [exampleOf(items, known)];
  return scalarOf(variantOf(schema));
}

function scalarOf({ type, format, minimum = 1, minLength = 1 }: JsonSchema): unknown {
  if (type === "integer" || type === "number") return minimum;
  if (type === "boolean") return true;
  if (type === "object") return {};
  if (format === "date-time") return "2026-01-02T03:04:05.678Z";
  return "x".repeat(minLength);
}

/** Every field of a value, outer ones first; the first one is the value itself. */
export function fieldsOf(schema: JsonSchema, path: FieldPath = []): FieldPath[] {
  const { properties = {}, items } = variantOf(schema);
  return [
    path,
    ...Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
    ...(items ? fieldsOf(items, [...path, 0]) : []),
  ];
}

/** Of several variants, the one with the most to fill in. */
function variantOf(schema: JsonSchema): JsonSchema {
  const variants = schema.anyOf?.filter(({ type }) => type !== "null").map(variantOf) ?? [];
  return variants.find(({ properties, items }) => properties ?? items) ?? variants[0] ?? schema;
}

function isStructure(schema: JsonSchema): boolean {
  const { properties, items } = variantOf(schema);
  return properties !== undefined || (items !== undefined && isStructure(items));
}

/** The JSON of a value in which one field is replaced by the given JSON, which need not be a value of JavaScript. */
export function withField(value: unknown, path: FieldPath, json: string): string {
  const [name, ...rest] = path;
  if (name === undefined) return json;
  const isList = Array.isArray(value);
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  const inner = withField(fields.get(String(name)), rest, json);
  const written = [...fields]
    .filter(([field]) => field !== String(name))
    .map(([field, other]) => [field, JSON.stringify(other)]);
  const all = [...written, [String(name), inner]];
  return isList
    ? `[${all.map(([, text]) => text).join(",")}]`
    : `{${all.map(([field, text]) => `${JSON.stringify(field)}:${text}`).join(",")}}`;
}
