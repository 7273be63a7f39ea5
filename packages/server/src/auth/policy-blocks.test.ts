import { expect, it } from "vitest";
import { policyBlocks, policyText, type SignInPolicy } from "./policy-blocks.ts";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const NONE: SignInPolicy = { requireSecondFactor: false, ssoProvider: null, maxSessionHours: null };
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const blocks = (policy: Partial<SignInPolicy>, methods: string[], hours = 0) =>
  policyBlocks({ ...NONE, ...policy }, { methods, at: hoursAgo(hours) }, NOW);

it("nothing is blocked without a rule", () => {
  expect(blocks({}, ["password"], 167)).toBe(null);
});

it("a second factor is a passkey, an authenticator app, a recovery code or a provider's own", () => {
  const rule = { requireSecondFactor: true };
  for (const method of ["passkey", "totp", "recovery", "oidc-mfa"])
    expect(blocks(rule, ["password", method])).toBe(null);
  for (const method of ["password", "oidc:corp"]) expect(blocks(rule, [method])).toBe("second-factor");
});

it("only the named provider counts", () => {
  const rule = { ssoProvider: "corp" };
  expect(blocks(rule, ["oidc:corp"])).toBe(null);
  for (const method of ["passkey", "oidc:other", "oidc:corp2"]) expect(blocks(rule, [method])).toBe("sso");
});

it("a sign-in gets too old, whatever it is used for", () => {
  const rule = { maxSessionHours: 12 };
  expect(blocks(rule, ["passkey"], 12)).toBe(null);
  expect(blocks(rule, ["passkey"], 12.01)).toBe("session-age");
});

it("the operator's link meets every rule", () => {
  expect(
    blocks({ requireSecondFactor: true, ssoProvider: "corp", maxSessionHours: 1 }, ["operator"], 100),
  ).toBe(null);
});

it("says what is needed", () => {
  const policy = { requireSecondFactor: true, ssoProvider: "corp", maxSessionHours: 12 };
  expect(policyText("second-factor", policy, "Corp")).toBe(
    "This workspace requires a second factor. Add a passkey or an authenticator app under Settings, Sign-in, and sign in again.",
  );
  expect(policyText("sso", policy, "Corp")).toBe("This workspace requires sign-in with Corp.");
  expect(policyText("session-age", policy, "Corp")).toBe(
    "This workspace requires a sign-in within the last 12 hours. Sign in again.",
  );
});
