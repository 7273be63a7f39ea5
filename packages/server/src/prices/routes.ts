import { newPriceRule, priceRule, priceRuleList } from "@whytrace/contract/schemas/prices";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { deletePriceRule } from "./delete-price-rule.ts";
import { listPriceRules } from "./list-price-rules.ts";
import { MAX_PRICE_RULES_PER_WORKSPACE, savePriceRule } from "./save-price-rule.ts";

/** A workspace's own prices of models. */
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
        response: { 200: priceRuleList },
      },
    },
    async (request) => ({ rules: await listPriceRules(db, callerOf(request).workspaceId) }),
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
        body: newPriceRule,
        response: { 200: priceRule },
        errors: { 409: [`Price rule limit reached (${MAX_PRICE_RULES_PER_WORKSPACE})`] },
      },
    },
    async (request) => {
      const { cacheReadUsd = null, cacheWriteUsd = null, validFrom = null, ...rule } = request.body;
      const prices = { ...rule, cacheReadUsd, cacheWriteUsd, validFrom };
      return savePriceRule(db, memberOf(request), prices, originOf(request));
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
      const { workspaceId } = memberOf(request);
      if (!(await deletePriceRule(db, workspaceId, request.params.id, originOf(request))))
        throw new HttpError(404, "Price rule not found");
      return SUCCESS;
    },
  );
}
