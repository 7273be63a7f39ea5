import { z } from "zod";

/** A short text a person typed: trimmed, and free of what PostgreSQL cannot store or a terminal would obey. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: "must not contain control characters",
    });
