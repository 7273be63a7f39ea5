import { z } from "zod";
import { fieldErrors } from "./field-errors.ts";

const CONTROL = "must not contain control characters";

/** Short text typed by a person: trimmed, without control characters, which break PostgreSQL (NUL) or terminals. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "must not be empty" })
    .max(maxLength, { error: `must have at most ${maxLength} characters` })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: CONTROL })
    .register(fieldErrors, { texts: [CONTROL] });
