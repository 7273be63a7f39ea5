import { z } from "zod";
import { MAX_USD_PER_MILLION_TOKENS } from "../prices.ts";
import { parseInstant } from "../traces/parse-instant.ts";
import { fieldErrors } from "./field-errors.ts";
import { plainText } from "./plain-text.ts";
import { instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

const YEARS = "must be in the years 0001 to 9999, in UTC";
const ASTERISK = "may contain an asterisk only at its end";
const PRICE = `must be between 0 and ${MAX_USD_PER_MILLION_TOKENS}`;

const price = z
  .number()
  .refine((usd) => usd >= 0 && usd <= MAX_USD_PER_MILLION_TOKENS, { error: PRICE })
  .register(fieldErrors, { texts: [PRICE] });
const DEFAULTS_TO_INPUT = "US dollars per million tokens; null means the price of input";

const ruleFields = {
  /** In lower case. */
  model: z.string().describe("The name of a model, or the beginning of names followed by an asterisk"),
  inputUsd: z.number().describe("US dollars per million tokens of input"),
  outputUsd: z.number().describe("US dollars per million tokens of output, reasoning included"),
  cacheReadUsd: z.number().nullable().describe(`Read from a cache: ${DEFAULTS_TO_INPUT}`),
  cacheWriteUsd: z.number().nullable().describe(`Written to a cache: ${DEFAULTS_TO_INPUT}`),
  validFrom: instant.nullable().describe("Applies to calls from this time on; null means always"),
};

/** Prices that a user set for a model. */
export const priceRule = z.object({ id: z.string(), ...ruleFields, createdBy });
export const priceRuleList = z.object({ rules: z.array(priceRule) });

export const newPriceRule = z.object({
  model: plainText(200)
    .transform((model) => model.toLowerCase())
    .refine((model) => !model.slice(0, -1).includes("*"), { error: ASTERISK })
    .meta({ type: "string", examples: ["gpt-4o", "our-*"], description: ruleFields.model.description })
    .register(fieldErrors, { texts: [ASTERISK] }),
  inputUsd: price.describe("US dollars per million tokens of input"),
  outputUsd: price.describe("US dollars per million tokens of output, reasoning included"),
  cacheReadUsd: price.nullish().describe(`Read from a cache: ${DEFAULTS_TO_INPUT}`),
  cacheWriteUsd: price.nullish().describe(`Written to a cache: ${DEFAULTS_TO_INPUT}`),
  validFrom: z.iso
    .datetime({ offset: true })
    .transform((text, context) => {
      const instantMs = parseInstant(text);
      if (instantMs !== undefined) return new Date(instantMs).toISOString();
      context.addIssue(YEARS);
      return z.NEVER;
    })
    .register(fieldErrors, { texts: [YEARS] })
    .nullish()
    .describe("Applies to calls from this time on; null means always"),
});

export type PriceRule = z.infer<typeof priceRule>;
