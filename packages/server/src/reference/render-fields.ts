import type { JsonSchema } from "./document.ts";
import { type Html, html, inline } from "./html.ts";

/** Renders the fields of an object and of nested objects; returns undefined if there are none. */
export function renderFields(schema: JsonSchema, isRequest: boolean): Html | undefined {
  const { properties, required = [] } = inner(schema);
  if (!properties) return undefined;
  const fields = Object.entries(properties).map(([name, field]) =>
    renderField(name, field, isRequest && required.includes(name), renderFields(field, isRequest)),
  );
  return html`<ul>${fields}</ul>`;
}

/** Renders a field or parameter: name, type, limits, description and nested fields. */
export function renderField(name: string, schema: JsonSchema, isRequired: boolean, nested?: Html): Html {
  const enumValues = inner(schema).enum?.map(
    (value) => html` <code class="enum-value">${String(value)}</code>`,
  );
  const description = schema.description ?? inner(schema).description;
  return html`<li class="field">
<p class="line"><code class="name">${name}</code> <span class="quiet small">${describeType(schema)}</span>${
    isRequired ? html` <span class="required small">required</span>` : undefined
  }</p>
${description ? html`<p class="line">${inline(description)}</p>` : undefined}
${enumValues ? html`<p class="line">${enumValues}</p>` : undefined}
${nested ? html`<div class="nested">${nested}</div>` : undefined}
</li>`;
}

/** The schema of a list's items, or of the value that is not null. */
function inner(schema: JsonSchema): JsonSchema {
  const present = schema.anyOf?.find(({ type }) => type !== "null");
  if (present) return inner(present);
  return schema.items ? inner(schema.items) : schema;
}

function describeType(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(" or ");
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === "array") return schema.items?.type ? `list of ${schema.items.type}s` : "list";
    if (type === "string" && schema.format) return schema.format;
    return type;
  });
  return [types.join(" or ") || "any JSON", ...limits(schema)].join(", ");
}

function limits({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  ...rest
}: JsonSchema): string[] {
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    rest.default === undefined ? undefined : `default ${String(rest.default)}`,
  ].filter((limit) => limit !== undefined);
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `at least ${min}`;
  const formattedMax = max.toLocaleString("en");
  return min === undefined ? `at most ${formattedMax}${unit}` : `${min} to ${formattedMax}${unit}`;
}
