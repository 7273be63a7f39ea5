import type { TierTerms } from "@whytrace/contract";
import type { Tier } from "@whytrace/contract/schemas/billing";
import { DEFAULT_FREE_SESSIONS_PER_DAY } from "../config.ts";

/** Plans count each new trace as one session. */
export const TIERS: Readonly<Record<Tier, TierTerms>> = {
  FREE: { tier: "FREE", sessionsLimit: DEFAULT_FREE_SESSIONS_PER_DAY, period: "day", priceUsd: 0 },
  STARTER: { tier: "STARTER", sessionsLimit: 1_000, period: "month", priceUsd: 5 },
  PRO: { tier: "PRO", sessionsLimit: 100_000, period: "month", priceUsd: 20 },
};
