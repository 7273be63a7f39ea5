import { parseInstant } from "@whytrace/contract";
import { z } from "zod";
import { refusals } from "./route-schema.ts";

/*
 * Query parameters of the lists. Each is given once; an empty one counts as absent. The texts are the interface's,
 * and of several faults the first parameter's, in the order of the schema, is named. What a transformation hides
 * from the reference (type, bounds, default) is said in `meta`.
 */
const PAGE = "Invalid page parameter. Must be a positive integer.";
const LIMIT = "Invalid limit parameter. Must be between 1 and 100.";
const ONCE = "must be given once";

const parameter = (error: string) =>
  z.preprocess((value) => (value === "" ? undefined : value), z.string({ error }).optional());

export const textParam = (description: string) =>
  parameter(ONCE)
    .meta({ description })
    .register(refusals, { texts: [ONCE] });

export const pageParam = parameter(PAGE)
  .refine((value) => value === undefined || (/^\d+$/.test(value) && Number(value) >= 1), { error: PAGE })
  .transform((value) => Number(value ?? 1))
  .meta({ type: "integer", minimum: 1, default: 1, description: "Which page, counted from 1" })
  .register(refusals, { texts: [PAGE] });

export const limitParam = parameter(LIMIT)
  .refine(
    (value) => value === undefined || (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 100),
    {
      error: LIMIT,
    },
  )
  .transform((value) => Number(value ?? 20))
  .meta({ type: "integer", minimum: 1, maximum: 100, default: 20, description: "Items a page" })
  .register(refusals, { texts: [LIMIT] });

export function enumParam<const T extends string>(name: string, allowed: readonly T[], description: string) {
  const error = `Invalid ${name}. Must be one of: ${allowed.join(", ")}`;
  return parameter(error)
    .transform((value, context): T | undefined => {
      if (value === undefined) return undefined;
      const found = allowed.find((one) => one === value);
      if (found === undefined) context.addIssue(error);
      return found;
    })
    .meta({ enum: [...allowed], description })
    .register(refusals, { texts: [error] });
}

/** Milliseconds since 1970. */
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
    .register(refusals, { texts: [error] });
}
