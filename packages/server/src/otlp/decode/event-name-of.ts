import type { Attributes } from "./otlp-span.ts";

/** The name of a log record's event: older SDKs send it as an attribute. */
export function eventNameOf(field: string, attributes: Attributes): string {
  if (field !== "") return field;
  const attribute = attributes.get("event.name");
  return typeof attribute === "string" ? attribute : "";
}
