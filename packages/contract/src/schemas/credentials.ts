import { z } from "zod";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../accounts.ts";
import { anyText } from "./any-text.ts";
import { fieldErrors } from "./field-errors.ts";
import { plainText } from "./plain-text.ts";

const ADDRESS = "must be an e-mail address such as ada@example.com";
const LONG_ADDRESS = "must have at most 254 characters";
const SHORT = `must have at least ${MIN_PASSWORD_LENGTH} characters`;
const LONG = `must have at most ${MAX_PASSWORD_LENGTH} characters`;

/** One ASCII address as an HTML e-mail field accepts it, in lower case: no quoting, no list, no line break. */
export const emailAddress = z
  .email({ pattern: z.regexes.html5Email, error: ADDRESS })
  .max(254, { error: LONG_ADDRESS })
  .transform((address) => address.toLowerCase())
  .meta({ examples: ["ada@example.com"] })
  .register(fieldErrors, { texts: [ADDRESS, LONG_ADDRESS] });

export const newPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, { error: SHORT })
  .max(MAX_PASSWORD_LENGTH, { error: LONG })
  .meta({ examples: ["correct horse battery"] })
  .register(fieldErrors, { texts: [SHORT, LONG] })
  .register(anyText);

/** A password to verify. The rules for new passwords do not apply to it. */
export const submittedPassword = z
  .string()
  .max(1_000)
  .meta({ examples: ["correct horse battery"] })
  .register(anyText);

export const personName = plainText(200).meta({ examples: ["Ada"] });
