import type { JsonSchema } from "./document.ts";
import { type Html, html, inline } from "./html.ts";

/** The fields of an object, and of the objects in it; undefined when it has none. */
export function renderFields(schema: JsonSchema, isRequest: boolean): Html | undefined {
  const { properties, required = [] } = inner(schema);
  if (!properties) return undefined;
  const fields = Object.entries(properties).map(([name, field]) =>
    renderField(name, field, isRequest && required.includes(name), renderFields(field, isRequest)),
  );
  return html`<ul>${fields}</ul>`;
}

/** One field or parameter: name, type and bounds, meaning, and what it holds. */
export function renderField(name: string, schema: JsonSchema, isRequired: boolean, nested?: Html): Html {
  const choices = inner(schema).enum?.map((one) => html` <code class="choice">${String(one)}</code>`);
  const description = schema.description ?? inner(schema).description;
  return html`<li class="field">
<p class="line"><code class="name">${name}</code> <span class="quiet small">${describeType(schema)}</span>${
    isRequired ? html` <span class="required small">required</span>` : undefined
  }</p>
${description ? html`<p class="line">${inline(description)}</p>` : undefined}
${choices ? html`<p class="line">${choices}</p>` : undefined}
${nested ? html`<div class="nested">${nested}</div>` : undefined}
</li>`;
}

/** What a list holds, and what is there when it is not null. */
function inner(schema: JsonSchema): JsonSchema {
  const present = schema.anyOf?.find((one) => one.type !== "null");
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
  return [types.join(" or ") || "any JSON", ...bounds(schema)].join(", ");
}

function bounds({
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
  ].filter((bound) => bound !== undefined);
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `at least ${from}`;
  const most = to.toLocaleString("en");
  return from === undefined ? `at most ${most}${unit}` : `${from} to ${most}${unit}`;
}
