import { parsed } from "./parsed.ts";

/** Where the code is, and which prompt it sent, as OpenTelemetry, Langfuse and OpenLLMetry name it. */
const CODE_KEYS = [
  "code.file.path",
  "code.function.name",
  "code.line.number",
  "gen_ai.prompt.name",
  "langfuse.observation.prompt.name",
  "langfuse.observation.prompt.version",
  "traceloop.prompt.key",
  "traceloop.prompt.version",
];

/** The place in the code and the prompt that the metadata of a span name, flat or nested; undefined if they name none. */
export function codePlace(span: ReadonlyMap<string, string>): Record<string, unknown> | undefined {
  const metadata = parsed(span.get("metadata"));
  const found = CODE_KEYS.flatMap((key) => {
    const value =
      fieldOf(metadata, key) ??
      key.split(".").reduce<unknown>((inner, part) => fieldOf(inner, part), metadata);
    return typeof value === "string" || typeof value === "number" ? [[key, value]] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
