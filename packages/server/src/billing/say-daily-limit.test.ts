import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { sayDailyLimit } from "./say-daily-limit.ts";

it("says at the start how to lift the limit of workspaces, unless there is none or plans are sold", () => {
  const said = (env: Record<string, string>) => {
    const lines: [object, string][] = [];
    const config = readConfig({ DATABASE_URL: "postgres://127.0.0.1/whytrace", ...env });
    sayDailyLimit(config, { info: (fields, text) => lines.push([fields, text]) });
    return lines;
  };
  expect(said({})).toEqual([
    [{ freeSessionsPerDay: 20 }, expect.stringContaining("FREE_SESSIONS_PER_DAY=unlimited lifts it")],
  ]);
  expect(said({ FREE_SESSIONS_PER_DAY: "unlimited" })).toEqual([]);
  const paid = {
    STRIPE_SECRET_KEY: "sk_test",
    STRIPE_WEBHOOK_SECRET: "whsec_test",
    STRIPE_PRICE_STARTER: "price_s",
    STRIPE_PRICE_PRO: "price_p",
  };
  expect(said(paid)).toEqual([]);
});
