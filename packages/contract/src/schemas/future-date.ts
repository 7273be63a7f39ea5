import { z } from "zod";
import { parseInstant } from "../traces/parse-instant.ts";
import { fieldErrors } from "./field-errors.ts";

/** Of a body with a date that is not in the future, named `expiresAt`. */
export const EXPIRES_IN_THE_PAST = "expiresAt: must be in the future";

const DATE = "must be an ISO 8601 date";

/** A date in a body, as milliseconds since 1970. Only the database's clock tells whether it is in the future. */
export const futureDate = z
  .string()
  .transform((text, context) => {
    const instantMs = parseInstant(text);
    if (instantMs !== undefined) return instantMs;
    context.addIssue(DATE);
    return z.NEVER;
  })
  .register(fieldErrors, { texts: [DATE] });
