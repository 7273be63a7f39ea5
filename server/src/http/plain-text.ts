import { z } from "zod";
import { refusals } from "./route-schema.ts";

const CONTROL = "must not contain control characters";

/** A short text a person typed: trimmed, and free of what PostgreSQL cannot store or a terminal would obey. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "must not be empty" })
    .max(maxLength, { error: `must have at most ${maxLength} characters` })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: CONTROL })
    .register(refusals, { texts: [CONTROL] });
