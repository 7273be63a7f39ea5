import { MAX_PRICE_RULES_PER_USER, MAX_USD_PER_MILLION_TOKENS, parseInstant } from "@whytrace/contract";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { plainText } from "../http/plain-text.ts";
import { fieldErrors } from "../http/route-schema.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { deletePriceRule } from "./delete-price-rule.ts";
import { listPriceRules } from "./list-price-rules.ts";
import { savePriceRule } from "./save-price-rule.ts";

const YEARS = "must be in the years 0001 to 9999, in UTC";
const ASTERISK = "may contain an asterisk only at its end";
const PRICE = `must be between 0 and ${MAX_USD_PER_MILLION_TOKENS}`;

const price = z
  .number()
  .refine((usd) => usd >= 0 && usd <= MAX_USD_PER_MILLION_TOKENS, { error: PRICE })
  .register(fieldErrors, { texts: [PRICE] });
const DEFAULTS_TO_INPUT = "US dollars per million tokens; null means the price of input";

const ruleFields = {
  model: z.string().describe("The name of a model, or the beginning of names followed by an asterisk"),
  inputUsd: z.number().describe("US dollars per million tokens of input"),
  outputUsd: z.number().describe("US dollars per million tokens of output, reasoning included"),
  cacheReadUsd: z.number().nullable().describe(`Read from a cache: ${DEFAULTS_TO_INPUT}`),
  cacheWriteUsd: z.number().nullable().describe(`Written to a cache: ${DEFAULTS_TO_INPUT}`),
  validFrom: z.iso.datetime().nullable().describe("Applies to calls from this time on; null means always"),
};
const priceRule = z.object({ id: z.string(), ...ruleFields });

const savedRule = z.object({
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

/** A user's own prices of models. */
export function priceRoutes(app: App, { db, guards }: { db: Database; guards: Guards }) {
  const onRequest = guards.read;
  const tags = ["Prices"];

  app.get(
    "/api/prices",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your price rules",
        description:
          "The server computes the cost of model calls that were sent without one, from public prices. Your rules take " +
          "precedence, and give a price to models that have none.",
        response: { 200: z.object({ rules: z.array(priceRule) }) },
      },
    },
    async (request) => ({ rules: await listPriceRules(db, callerOf(request).userId) }),
  );

  app.put(
    "/api/prices",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Add a price rule, or replace the one for the same model and date",
        description:
          "The name of a model applies before the beginning of names, and a longer beginning before a shorter one. Of " +
          "several rules for a name, the latest whose date has come applies. A rule applies to traces that arrive from " +
          "now on; an operator can compute stored costs again.",
        body: savedRule,
        response: { 200: priceRule },
        errors: { 409: [`Price rule limit reached (${MAX_PRICE_RULES_PER_USER})`] },
      },
    },
    async (request) => {
      const { cacheReadUsd = null, cacheWriteUsd = null, validFrom = null, ...rule } = request.body;
      return savePriceRule(db, callerOf(request).userId, {
        ...rule,
        cacheReadUsd,
        cacheWriteUsd,
        validFrom,
      });
    },
  );

  app.delete(
    "/api/prices/:id",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Delete a price rule",
        params: z.object({ id: z.string() }),
        response: { 200: successSchema },
        errors: { 404: ["Price rule not found"] },
      },
    },
    async (request) => {
      if (!(await deletePriceRule(db, callerOf(request).userId, request.params.id)))
        throw new HttpError(404, "Price rule not found");
      return SUCCESS;
    },
  );
}
