import {
  type FilterType,
  TRACE_FILTERS,
  type TraceFilterRow,
  type TraceFilterTexts,
} from "@whytrace/contract";
import { type OptionSpec, type ParsedArgs, usageError } from "./command.ts";

/** The filters of traces that have an option, and the query parameters that they set. */
const FILTERS = Object.entries<TraceFilterRow>(TRACE_FILTERS).flatMap(([parameter, row]) =>
  row.option ? { ...row, ...row.option, parameter } : [],
);

/** Options that say which traces are wanted. */
export const FILTER_OPTIONS: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  FILTERS.map(({ name, value, about, type, values }) => [
    name,
    { value, about: `${inOptions(about)}${exampleOf(type, values)}` },
  ]),
);

/** Texts of the reference name parameters. */
function inOptions(about: string): string {
  const named = FILTERS.reduce(
    (text, { name, parameter }) => text.replaceAll(`with ${parameter}:`, `with --${name}:`),
    about,
  );
  return `${named.charAt(0).toLowerCase()}${named.slice(1)}`;
}

function exampleOf(type: FilterType, values: readonly string[] | undefined): string {
  if (type === "date") return ", for example 2026-11-09";
  return values ? `: ${values.join(", ")}` : "";
}

/** The query parameters of the options that were given. */
export function filterQuery(args: ParsedArgs, command: string): TraceFilterTexts {
  const texts: Record<string, string> = {};
  for (const { name, parameter, type, values } of FILTERS) {
    const text = args.text(name);
    if (text === undefined) continue;
    const value = values ? values.find((one) => one.toLowerCase() === text.toLowerCase()) : text;
    if (value === undefined) throw usageError(`--${name} must be one of ${values?.join(", ")}`, command);
    if (type === "date" && !(/^\d{4}-/.test(text) && Number.isFinite(Date.parse(text))))
      throw usageError(`--${name} must be a date such as 2026-11-09, not ${JSON.stringify(text)}`, command);
    texts[parameter] = value;
  }
  // Each text is a value of its row, which TypeScript cannot infer.
  return texts as TraceFilterTexts;
}
