import { z } from "zod";
import { count, instant } from "./values.ts";

export const tier = z.enum(["FREE", "STARTER", "PRO"]);

export const tierTerms = z.object({
  tier,
  sessionsLimit: count,
  period: z.enum(["day", "month"]),
  priceUsd: z.number(),
});

/** A user's plan and usage. */
export const billing = tierTerms.omit({ priceUsd: true }).extend({
  status: z.string(),
  sessionsUsed: count,
  resetsAt: instant,
  refused: z
    .object({ requests: count, since: instant })
    .nullable()
    .describe(
      "Requests with traces that came in this period after the plan was used up; null if there are none",
    ),
  tiers: z.array(tierTerms),
});

export const redirect = z.object({ url: z.string().describe("Redirect the browser to this URL") });

const redirectTarget = z
  .string()
  .max(2_000)
  .optional()
  .describe("An absolute URL on an allowed origin. Default: the billing page");

export const newCheckout = z.object({
  tier: z.enum(["STARTER", "PRO"]),
  successUrl: redirectTarget,
  cancelUrl: redirectTarget,
});
export const openedPortal = z.object({ returnUrl: redirectTarget }).nullish();

export type Tier = z.infer<typeof tier>;
export type TierTerms = z.infer<typeof tierTerms>;
export type Billing = z.infer<typeof billing>;
