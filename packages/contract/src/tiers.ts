import type { Tier, TierTerms } from "./schemas/billing.ts";

/** The limit that the server stores and reports when limits are turned off. */
export const UNLIMITED_SESSIONS = 2_147_483_647;

export const isUnlimited = (sessionsLimit: number) => sessionsLimit >= UNLIMITED_SESSIONS;

/** Plans count each new trace as one session. */
export const TIERS: Readonly<Record<Tier, TierTerms>> = {
  FREE: { tier: "FREE", sessionsLimit: 20, period: "day", priceUsd: 0 },
  STARTER: { tier: "STARTER", sessionsLimit: 1_000, period: "month", priceUsd: 5 },
  PRO: { tier: "PRO", sessionsLimit: 100_000, period: "month", priceUsd: 20 },
};
