import {
  type FilterType,
  hash32FromHex,
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_VALUE_LENGTH,
  TRACE_FILTERS,
  type TraceFilterName,
  type TraceFilterRow,
} from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { z } from "zod";
import { dateParam, enumParam, numberParam, textParam } from "../http/request/query-params.ts";
import { metadataPair } from "../trace-store/rows/metadata-pairs.ts";

const MAX_LIST_LENGTH = 50;
const MAX_LISTED_LENGTH = 200;

function listParam(name: string, { about: description }: TraceFilterRow) {
  const error = `Invalid ${name} parameter. Must be at most ${MAX_LIST_LENGTH} ${name} of at most ${MAX_LISTED_LENGTH} characters.`;
  return textParam(description)
    .transform((text = "", context) => {
      const values = text
        .split(",")
        .map((value) => value.trim())
        .filter(Boolean);
      if (values.length > MAX_LIST_LENGTH || values.some((value) => value.length > MAX_LISTED_LENGTH))
        context.addIssue(error);
      return values;
    })
    .meta({ type: "string", description })
    .register(fieldErrors, { texts: [error] });
}

const MAX_PAIRS = 10;

function pairsParam(name: string, { about: description }: TraceFilterRow) {
  const error =
    `Invalid ${name} parameter. Must be ${name}.<key>=<value>, at most ${MAX_PAIRS} of them, each once, with keys of ` +
    `at most ${MAX_METADATA_KEY_LENGTH} and values of at most ${MAX_METADATA_VALUE_LENGTH} characters.`;
  return z
    .preprocess(withoutEmptyValues, z.record(z.string(), z.string({ error }), { error }).optional())
    .transform((values, context): string[] | undefined => {
      if (values === undefined) return undefined;
      const entries = Object.entries(values);
      const isValid = ([key, value]: [string, string]) =>
        key !== "" && key.length <= MAX_METADATA_KEY_LENGTH && value.length <= MAX_METADATA_VALUE_LENGTH;
      if (entries.length > MAX_PAIRS || !entries.every(isValid)) context.addIssue(error);
      return entries.map(([key, value]) => metadataPair(key, value));
    })
    .meta({ type: "object", additionalProperties: { type: "string" }, description })
    .register(fieldErrors, { texts: [error] });
}

/** Empty parameters count as absent. */
function withoutEmptyValues(query: unknown): unknown {
  if (typeof query !== "object" || query === null) return query === "" ? undefined : query;
  const entries = Object.entries(query).filter(([, value]) => value !== "");
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** An id of insights: a hash of 32 bits. */
function hashParam(name: string, { about: description, hasStart = false }: TraceFilterRow) {
  const error = `Invalid ${name} parameter. Must be 8 hexadecimal digits${hasStart ? ", or 0" : ""}.`;
  return textParam(description)
    .transform((text, context): number | undefined => {
      if (text === undefined) return undefined;
      const hash = hash32FromHex(text);
      if (hash === undefined || (hash === 0 && !hasStart)) context.addIssue(error);
      return hash;
    })
    .meta({ type: "string", description })
    .register(fieldErrors, { texts: [error] });
}

/** A number of any sign. */
function anyNumberParam(name: string, { about: description }: TraceFilterRow) {
  const error = `Invalid ${name}. Must be a number.`;
  return textParam(description)
    .transform((text, context): number | undefined => {
      if (text === undefined) return undefined;
      const number = text.trim() === "" ? Number.NaN : Number(text);
      if (!Number.isFinite(number)) context.addIssue(error);
      return number;
    })
    .meta({ type: "number", description })
    .register(fieldErrors, { texts: [error] });
}

const PARAMS: Readonly<Record<FilterType, (name: string, row: TraceFilterRow) => z.ZodType>> = {
  enum: (name, { values = [], about }) => enumParam(name, values, about),
  text: (_name, { about }) => textParam(about),
  list: listParam,
  number: (name, { about }) => numberParam(name, about),
  anyNumber: anyNumberParam,
  integer: (name, { about }) => numberParam(name, about, { isInteger: true }),
  date: (name, { about }) => dateParam(name, about),
  hash: hashParam,
  pairs: pairsParam,
};

/** The query parameters that say which traces are wanted, in the order in which they are checked. */
export const traceFilterParams = Object.fromEntries(
  Object.entries<TraceFilterRow>(TRACE_FILTERS).map(([name, row]) => [name, PARAMS[row.type](name, row)]),
  // Each parameter is read as its row says, which TypeScript cannot infer.
) as { [Name in TraceFilterName]: z.ZodType<TraceFilterValues[Name]> };

type Value<Row extends TraceFilterRow> = Row extends { type: "enum"; values: readonly (infer One)[] }
  ? One
  : Row["type"] extends "text"
    ? string
    : Row["type"] extends "list" | "pairs"
      ? string[]
      : number;

/** The values of these parameters: dates in milliseconds since 1970. */
export type TraceFilterValues = {
  -readonly [Name in TraceFilterName]?: Value<(typeof TRACE_FILTERS)[Name]> | undefined;
};
