import { asObject, asText, parsed } from "../decode/attribute-value.ts";
import { shortName } from "../decode/short-name.ts";

/**
 * The names of the tools in a list of definitions: objects of any provider's format, JSON texts of them, bare names, or
 * names with commas. Undefined if there is none.
 */
export function offeredTools(value: unknown): string[] | undefined {
  const list = parsed(value);
  if (typeof list === "string") {
    // Truncated JSON is not a list of names.
    if (/^\s*[[{]/.test(list)) return undefined;
    return unique(list.split(",").map((name) => name.trim()));
  }
  if (Array.isArray(list)) return unique(list.flatMap(namesOf));
  // Pydantic AI has one list for each kind.
  const { function_tools, output_tools } = asObject(list) ?? {};
  return unique(
    [function_tools, output_tools]
      .filter((kind) => Array.isArray(kind))
      .flat()
      .flatMap(namesOf),
  );
}

/** The tools that the request to a model offers. */
export function toolsOfRequest(request: unknown): string[] | undefined {
  const body = asObject(request);
  if (!body) return undefined;
  for (const holder of [body, body.config, body.kwargs, body.invocation_params, body.options]) {
    const { tools, functions } = asObject(holder) ?? {};
    const names = Array.isArray(tools)
      ? offeredTools(tools)
      : Array.isArray(functions)
        ? offeredTools(functions)
        : undefined;
    if (names) return names;
  }
  return undefined;
}

function namesOf(definition: unknown): string[] {
  const tool = parsed(definition);
  if (typeof tool === "string") return [tool];
  const record = asObject(tool);
  if (!record) return [];
  const declarations = record.functionDeclarations ?? record.function_declarations;
  if (Array.isArray(declarations)) return declarations.flatMap(namesOf);
  if (record.json_schema !== undefined) return namesOf(record.json_schema);
  const inner = asObject(record.function) ?? asObject(record.toolSpec);
  // A tool that the provider itself runs has only a type, for example `web_search`.
  const name = asText(record.name) ?? asText(inner?.name) ?? asText(record.type);
  return name === undefined ? [] : [name];
}

function unique(names: string[]): string[] | undefined {
  const known = [...new Set(names.map(shortName))].filter((name) => name !== "");
  return known.length > 0 ? known : undefined;
}
