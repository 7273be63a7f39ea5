import { TIERS, type Tier } from "@whytrace/contract";
import type Stripe from "stripe";

/** A subscription as the provider has it, reduced to what decides a plan. */
export interface ProviderSubscription {
  id: string;
  priceId: string | null;
  /** By its price; null for a price that is none of ours. */
  tier: Exclude<Tier, "FREE"> | null;
  status: string;
  createdAt: number;
  periodStart: number | null;
  periodEnd: number | null;
}

/** While it is in one of these, the plan holds. */
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

/** Of all a customer ever had, the one that counts: a live one, the largest plan first, then the newest. */
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
