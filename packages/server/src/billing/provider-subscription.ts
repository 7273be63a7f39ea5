import type { Tier } from "@whytrace/contract/schemas/billing";
import type Stripe from "stripe";
import { TIERS } from "./tiers.ts";

/** The fields of the provider's subscription that determine the user's plan. */
export interface ProviderSubscription {
  id: string;
  priceId: string | null;
  /** Null if the price is not one of ours. */
  tier: Exclude<Tier, "FREE"> | null;
  status: string;
  createdAt: number;
  periodStart: number | null;
  periodEnd: number | null;
}

/** Statuses in which the subscriber has the plan. */
const LIVE = new Set(["active", "trialing", "past_due"]);

export function toProviderSubscription(
  subscription: Stripe.Subscription,
  prices: Record<Exclude<Tier, "FREE">, string>,
): ProviderSubscription {
  const item = subscription.items.data[0];
  const priceId = item?.price.id ?? null;
  const tier = priceId === prices.PRO ? "PRO" : priceId === prices.STARTER ? "STARTER" : null;
  return {
    id: subscription.id,
    priceId,
    tier,
    status: subscription.status,
    createdAt: subscription.created,
    periodStart: item?.current_period_start ?? null,
    periodEnd: item?.current_period_end ?? null,
  };
}

export const isLive = (subscription: ProviderSubscription) =>
  LIVE.has(subscription.status) && subscription.tier !== null;

/** Selects the subscription that determines the plan: live ones first, then the largest plan, then the newest. */
export function currentSubscription(subscriptions: ProviderSubscription[]): ProviderSubscription | undefined {
  const limitOf = ({ tier }: ProviderSubscription) => (tier ? TIERS[tier].sessionsLimit : 0);
  return subscriptions.toSorted(
    (a, b) =>
      Number(isLive(b)) - Number(isLive(a)) ||
      limitOf(b) - limitOf(a) ||
      b.createdAt - a.createdAt ||
      (a.id < b.id ? 1 : -1),
  )[0];
}
