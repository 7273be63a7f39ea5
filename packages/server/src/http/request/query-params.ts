import { parseInstant } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { z } from "zod";

/*
 * Schemas of query parameters. An empty value counts as absent; a repeated parameter is an error. If several parameters
 * are invalid, the response names the first one in schema order. zod cannot derive the type, limits and default of a
 * transformed value, so `meta` states them for the API reference.
 */
const PAGE = "Invalid page parameter. Must be a positive integer.";
const LIMIT = "Invalid limit parameter. Must be between 1 and 100.";
const ONCE = "must be given once";

/** A tool of an assistant passes numbers as numbers. */
const parameter = (error: string) =>
  z.preprocess(
    (value) => (value === "" ? undefined : typeof value === "number" ? String(value) : value),
    z.string({ error }).optional(),
  );

export const textParam = (description: string) =>
  parameter(ONCE)
    .meta({ description })
    .register(fieldErrors, { texts: [ONCE] });

export const pageParam = parameter(PAGE)
  .refine((value) => value === undefined || (/^\d+$/.test(value) && Number(value) >= 1), { error: PAGE })
  // Every page as late as this is empty; larger numbers are not exact, and their offset is no bigint.
  .transform((value) => Math.min(Number(value ?? 1), Number.MAX_SAFE_INTEGER))
  .meta({ type: "integer", minimum: 1, default: 1, description: "Page number, starting at 1" })
  .register(fieldErrors, { texts: [PAGE] });

export const limitParam = parameter(LIMIT)
  .refine(
    (value) => value === undefined || (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 100),
    {
      error: LIMIT,
    },
  )
  .transform((value) => Number(value ?? 20))
  .meta({ type: "integer", minimum: 1, maximum: 100, default: 20, description: "Number of items per page" })
  .register(fieldErrors, { texts: [LIMIT] });

export function enumParam<const T extends string>(name: string, allowed: readonly T[], description: string) {
  const error = `Invalid ${name}. Must be one of: ${allowed.join(", ")}`;
  return parameter(error)
    .transform((value, context): T | undefined => {
      if (value === undefined) return undefined;
      const found = allowed.find((candidate) => candidate === value);
      if (found === undefined) context.addIssue(error);
      return found;
    })
    .meta({ enum: [...allowed], description })
    .register(fieldErrors, { texts: [error] });
}

/** A number that is not negative. */
export function numberParam(name: string, description: string, { isInteger = false } = {}) {
  const error = `Invalid ${name} parameter. Must be ${isInteger ? "an integer" : "a number"} of at least 0.`;
  return parameter(error)
    .transform((value, context): number | undefined => {
      if (value === undefined) return undefined;
      const number = (isInteger ? /^\d{1,15}$/ : /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i).test(value)
        ? Number(value)
        : Number.NaN;
      if (!Number.isFinite(number)) context.addIssue(error);
      return number;
    })
    .meta({ type: isInteger ? "integer" : "number", minimum: 0, description })
    .register(fieldErrors, { texts: [error] });
}

/** Parses to milliseconds since 1970. */
export function dateParam(name: string, description: string) {
  const error = `Invalid ${name} parameter. Must be a valid ISO date string.`;
  return parameter(error)
    .transform((value, context): number | undefined => {
      if (value === undefined) return undefined;
      const parsed = parseInstant(value);
      if (parsed === undefined) context.addIssue(error);
      return parsed;
    })
    .meta({ description })
    .register(fieldErrors, { texts: [error] });
}
