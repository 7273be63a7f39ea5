import type { RawJson } from "@whytrace/contract";
import { jsonText, rawJson } from "./attribute-value.ts";
import { fieldsJson } from "./attributes-json.ts";
import type { Attributes, OtlpLink, OtlpSpan, OtlpValue } from "./otlp-span.ts";
import type { SpanReading } from "./read-attributes.ts";
import { unflatten } from "./unflatten.ts";

/** Keys of the metadata that are not attributes of the span. */
const OWN_KEYS = new Set(["scope", "resource", "links", "droppedAttributes"]);

/** What every process says about itself at length, and nobody asks for when reading a trace. */
const UNSTORED_RESOURCE = /^(telemetry|process|host|os)\./;

/**
 * A span's metadata: its attributes under their own names, except for those that have become its input and output; then
 * the library and the process that sent it, its links, and how many attributes the sender left out.
 */
export function spanMetadata(span: OtlpSpan, reading: SpanReading): RawJson | null {
  const fields = [
    fieldsJson(attributes(reading)),
    scopeJson(span),
    resourceJson(span.resource),
    span.links.length > 0 ? `"links":[${span.links.map(linkJson).join()}]` : "",
    span.droppedAttributes > 0 ? `"droppedAttributes":${span.droppedAttributes}` : "",
  ].filter((field) => field !== "");
  return fields.length > 0 ? rawJson(`{${fields.join()}}`) : null;
}

function* attributes({ others, contents, flattened }: SpanReading): Generator<readonly [string, OtlpValue]> {
  for (const [key, value] of others) yield [OWN_KEYS.has(key) ? `attributes.${key}` : key, value];
  for (const { key, value, isUsed } of contents)
    if (!isUsed && !contents.some((other) => other.isUsed && other.value === value)) yield [key, value];
  for (const { name, slot, entries, isUsed } of flattened) {
    const isRepeated = contents.some(
      (content) => content.slot === slot && content.isUsed && isJson(content.value),
    );
    if (!isUsed && !isRepeated) yield [name, unflatten(entries) as OtlpValue];
  }
}

const isJson = (value: OtlpValue) => typeof value !== "string" || jsonText(value) === value;

const scopeJson = ({ scope: { name, version } }: OtlpSpan) =>
  name === "" ? "" : `"scope":${JSON.stringify(version === "" ? { name } : { name, version })}`;

/** All spans of a request share the attributes of their process. */
const resources = new WeakMap<Attributes, string>();

function resourceJson(resource: Attributes): string {
  let json = resources.get(resource);
  if (json === undefined) {
    const stored = fieldsJson([...resource].filter(([key]) => !UNSTORED_RESOURCE.test(key)));
    json = stored === "" ? "" : `"resource":{${stored}}`;
    resources.set(resource, json);
  }
  return json;
}

const linkJson = ({ traceId, spanId, attributes: own }: OtlpLink) =>
  `{"traceId":"${traceId}","spanId":"${spanId}"${own.size > 0 ? `,"attributes":{${fieldsJson(own)}}` : ""}}`;
