import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@whytrace/contract";
import { z } from "zod";
import { plainText } from "../http/plain-text.ts";

/**
 * What a browser's own e-mail field accepts, in lower case: one plain ASCII address, no quoting, no list, no line
 * break.
 */
export const emailAddress = z
  .email({ pattern: z.regexes.html5Email, error: "must be an e-mail address such as ada@example.com" })
  .max(254, { error: "must have at most 254 characters" })
  .transform((address) => address.toLowerCase());

export const newPassword = z
  .string()
  .min(PASSWORD_MIN_LENGTH, { error: `must have at least ${PASSWORD_MIN_LENGTH} characters` })
  .max(PASSWORD_MAX_LENGTH, { error: `must have at most ${PASSWORD_MAX_LENGTH} characters` });

/** To be checked against the stored one: whatever it is, it is either right or wrong. */
export const givenPassword = z.string().max(1_000);

export const personName = plainText(200);
