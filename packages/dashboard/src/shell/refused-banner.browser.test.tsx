import type { Billing } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

const TERMS = { tier: "FREE", sessionsLimit: 20, period: "day" } as const;
const TIERS = ["FREE", "STARTER", "PRO"] as const;
const USED_UP: Omit<Billing, "tiers"> = {
  ...TERMS,
  status: "active",
  sessionsUsed: 20,
  resetsAt: new Date(Date.now() + 3_600_000).toISOString(),
  refused: { requests: 2, since: new Date().toISOString() },
};

it.each([
  ["with a payment provider", 3, /^Your plan is used up: 2 requests/, "See plans"],
  ["without one", 1, /^The limit of this server is used up: 2 requests/, "See usage"],
] as const)("while traces are refused every page says so, %s", async (_case, plans, words, label) => {
  const tiers = TIERS.slice(0, plans).map((tier) => ({ ...TERMS, tier, priceUsd: 0 }));
  const shown = showPage("/settings/links", {
    "GET /api/billing": { ...USED_UP, tiers },
    "GET /api/shares": { shares: [] },
  });
  const banner = page.getByRole("alert", { name: "Traces are refused" });
  await expect.element(banner.getByText(words)).toBeVisible();
  await banner.getByRole("link", { name: label }).click();
  await expect.poll(shown.path).toBe("/settings/billing");
});
