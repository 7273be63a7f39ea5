import type { RawJson } from "@whytrace/contract";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import type { SpanReading } from "../conventions/read-attributes.ts";
import { unflatten } from "../conventions/unflatten.ts";
import { rawJson } from "../decode/attribute-value.ts";
import type { Attributes, OtlpLink, OtlpSpan } from "../decode/otlp-span.ts";
import { fieldsJson } from "./attributes-json.ts";

/** Keys of the metadata that are not attributes of the span. */
const OWN_KEYS = new Set(["scope", "resource", "droppedResourceAttributes", "links", "droppedAttributes"]);

/**
 * Each span stores its process and its library again, so a long one would multiply. Attributes of the process beyond this
 * are left out and counted; the library's name and version are truncated.
 */
const MAX_RESOURCE_LENGTH = 16_384;
const MAX_SCOPE_BYTES = 1_024;

/** What every process says about itself at length, and nobody asks for when reading a trace. */
const UNSTORED_RESOURCE = /^(telemetry|process|host|os)\./;

/**
 * A span's metadata: its attributes under their own names, except for those that have become its input and output; then
 * the library and the process that sent it, its links, and how many attributes the sender left out.
 */
export function spanMetadata(span: OtlpSpan, reading: SpanReading): RawJson | null {
  let fields = fieldsJson(reading.others.map(renamed));
  const add = (field: string) => {
    if (field !== "") fields += fields === "" ? field : `,${field}`;
  };
  add(fieldsJson(unusedContents(reading)));
  add(scopeJson(span));
  add(resourceJson(span.resource));
  if (span.links.length > 0) add(`"links":[${span.links.map(linkJson).join()}]`);
  if (span.droppedAttributes > 0) add(`"droppedAttributes":${span.droppedAttributes}`);
  return fields === "" ? null : rawJson(`{${fields}}`);
}

type Attribute = readonly [key: string, value: unknown];

const renamed = (attribute: Attribute): Attribute =>
  OWN_KEYS.has(attribute[0]) ? [`attributes.${attribute[0]}`, attribute[1]] : attribute;

/** Content that is in neither input nor output, unless they contain the same. */
function unusedContents({ contents, flattened }: SpanReading): Attribute[] {
  const used = contents.filter(({ isUsed }) => isUsed);
  const unused: Attribute[] = [];
  for (const { key, value, isUsed } of contents)
    if (!isUsed && !used.some((other) => other.value === value)) unused.push([key, value]);
  for (const list of flattened) {
    const isRepeated = used.some((content) => content.slot === list.slot && content.isJson);
    if (!list.isUsed && !isRepeated) unused.push([list.name, unflatten(list.entries)]);
  }
  return unused;
}

function scopeJson({ scope }: OtlpSpan): string {
  const name = truncated(scope.name);
  const version = truncated(scope.version);
  return name === "" ? "" : `"scope":${JSON.stringify(version === "" ? { name } : { name, version })}`;
}

const truncated = (text: string) =>
  text.length > MAX_SCOPE_BYTES ? storableText(text.slice(0, MAX_SCOPE_BYTES), MAX_SCOPE_BYTES) : text;

/** All spans of a request share the attributes of their process. */
const resources = new WeakMap<Attributes, string>();

function resourceJson(resource: Attributes): string {
  let json = resources.get(resource);
  if (json === undefined) {
    json = shortResourceJson(resource);
    resources.set(resource, json);
  }
  return json;
}

function shortResourceJson(resource: Attributes): string {
  let stored = "";
  let dropped = 0;
  for (const attribute of resource) {
    if (UNSTORED_RESOURCE.test(attribute[0])) continue;
    const field = fieldsJson([attribute]);
    if (stored.length + field.length > MAX_RESOURCE_LENGTH) dropped += 1;
    else stored += stored === "" ? field : `,${field}`;
  }
  const json = stored === "" ? "" : `"resource":{${stored}}`;
  if (dropped === 0) return json;
  return `${json === "" ? "" : `${json},`}"droppedResourceAttributes":${dropped}`;
}

const linkJson = ({ traceId, spanId, attributes: own }: OtlpLink) =>
  `{"traceId":"${traceId}","spanId":"${spanId}"${own.size > 0 ? `,"attributes":{${fieldsJson(own)}}` : ""}}`;
